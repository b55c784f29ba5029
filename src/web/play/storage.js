// What the browser keeps for this window, also over a reload, or for all windows of this site. A browser may deny both, and
// reading `sessionStorage` throws then: what is kept lasts until the page is left.

class BrowserStorage {
  /** `find()` returns the browser's storage, or throws. */
  constructor(find) {
    Object.assign(this, { find, denied: new Map() });
  }

  /** Returns what is kept under a key; null without it. */
  get(key) {
    if (this.denied.has(key)) return this.denied.get(key);
    try {
      return this.find().getItem(key);
    } catch {
      return null;
    }
  }

  set(key, value) {
    this.denied.delete(key);
    try {
      this.find().setItem(key, value);
    } catch {
      this.denied.set(key, value);
    }
  }

  remove(key) {
    this.denied.delete(key);
    try {
      this.find().removeItem(key);
    } catch {
      // Then nothing is there.
    }
  }
}

export const windowStorage = new BrowserStorage(() => sessionStorage);
export const siteStorage = new BrowserStorage(() => localStorage);

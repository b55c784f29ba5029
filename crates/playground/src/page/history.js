// The loaded messages of one channel: oldest first, without gaps.

/** Orders snowflakes, which exceed JavaScript's exact integers. */
export const compareIds = (a, b) => a.length - b.length || (a < b ? -1 : Number(a > b));

const KEPT = 200;
const TRIM_AT = 400;

export class History {
  constructor() {
    this.list = [];
    this.loaded = false;
    this.complete = false;
    this.loading = null;
    this.failed = false;
    // Events of the WebSocket while the first page was loading: id -> message, or null for a deletion.
    this.live = new Map();
  }

  get(id) {
    return this.list.find((message) => message.id === id);
  }

  /** Adds or replaces a message. Before the first page is loaded it is only stored. */
  put(message) {
    if (!this.loaded) {
      this.live.set(message.id, message);
      return;
    }
    const at = this.list.findLastIndex((other) => compareIds(other.id, message.id) <= 0);
    if (this.list[at]?.id === message.id) this.list[at] = message;
    else this.list.splice(at + 1, 0, message);
  }

  remove(id) {
    if (!this.loaded) this.live.set(id, null);
    this.list = this.list.filter((message) => message.id !== id);
  }

  /** Adds a page from the server (newest first) before all loaded messages; after a `full` page there may be more. */
  takePage(page, full) {
    const known = new Set(this.list.map((message) => message.id));
    const older = page.filter((message) => !known.has(message.id)).reverse();
    this.list = [...older, ...this.list];
    this.complete = !full;
    if (!this.loaded) this.mergeLive();
  }

  mergeLive() {
    this.loaded = true;
    for (const [id, message] of this.live) message ? this.put(message) : this.remove(id);
    this.live.clear();
  }

  /** Drops old messages of an active channel while its user is not scrolled up. */
  trim() {
    if (this.list.length <= TRIM_AT) return;
    this.list = this.list.slice(-KEPT);
    this.complete = false;
  }
}

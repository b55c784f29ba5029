// The messages of one channel as far as they are known here: oldest first, without holes.

/** Orders snowflakes, which are numbers too long for JavaScript's. */
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
    // What the WebSocket told while the first page was on its way: id -> message, or null when deleted.
    this.live = new Map();
  }

  get(id) {
    return this.list.find((message) => message.id === id);
  }

  /** Adds or replaces a message. Before the first page is here it is only noted. */
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

  /** Takes a page from the server (newest first) that stands before everything known; `full` pages may have more before. */
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

  /** Forgets old messages of a channel that runs on while nobody scrolls up. */
  trim() {
    if (this.list.length <= TRIM_AT) return;
    this.list = this.list.slice(-KEPT);
    this.complete = false;
  }
}

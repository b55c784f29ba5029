// News from the server: a stream says that something has changed at the table, and then the state is requested.

import { clearRefusal, notice } from './dom.js';
import { asked } from './request.js';

const LISTEN_AGAIN_MS = 5000;
/** The status of an answer to someone else. */
const FORBIDDEN = 403;

export class Live {
  /**
   * `entry()` is the number of the entry whose state is here, `take(state)` takes a later one, `isSending()` tells whether
   * an order waits for its answer, and `signedOut(said, isOther)` is called when the person may no longer see the table, or
   * someone else than `viewer` is signed in here.
   */
  constructor({ table, viewer, words, entry, take, isSending, signedOut }) {
    Object.assign(this, { table, viewer, words, entry, take, isSending, signedOut });
    this.events = null;
    this.isSignedOut = false;
    this.isLost = false;
  }

  listen() {
    this.events?.close();
    if (this.isSignedOut) return;
    this.events = new EventSource(`/play/${this.table}/events`);
    this.events.onmessage = (event) => {
      document.body.dataset.live = 'true';
      if (Number(event.data) > this.entry()) this.refresh();
    };
    this.events.onopen = () => this.isLost && this.refresh();
    this.events.onerror = () => {
      document.body.dataset.live = 'false';
      // A stream that is refused or has ended tells nothing: the state says why.
      this.refresh();
      if (this.events.readyState === EventSource.CLOSED) setTimeout(() => this.listen(), LISTEN_AGAIN_MS);
    };
  }

  /** Requests the state. */
  async refresh() {
    const answer = await asked(`/play/${this.table}/state?viewer=${this.viewer}`);
    this.showLost(!answer || answer.status >= 500);
    if (!answer) return;
    if (answer.ok) return this.take(await answer.json());
    if (answer.status >= 500 || answer.status === 429) return;
    this.end((await answer.json().catch(() => ({}))).said, answer.status === FORBIDDEN);
  }

  /** Says that there is no connection, until there is one again. An order says it by itself. */
  showLost(isLost) {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    if (this.isSending()) return;
    if (isLost) notice(this.words.lost, true);
    else clearRefusal();
  }

  end(said, isOther) {
    this.isSignedOut = true;
    this.events?.close();
    this.signedOut(said, isOther);
  }
}

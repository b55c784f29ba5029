// News from the server: a stream says that something has changed, and then the state is requested.

import { clearRefusal, notice } from './dom.js';
import { fetchOrNull } from './request.js';

const LISTEN_AGAIN_MS = 5000;
/** The status of an answer to someone else. */
const FORBIDDEN = 403;

export class Live {
  /**
   * `events()` returns the address of the stream, `state` is that of the state, `isNew(data)` tells whether an event is about a
   * later state than the one that is here, `take(state)` takes a state, `isSending()` tells whether an order waits for its
   * answer, and `signedOut(said, isOther)` is called when the person may no longer see the page, or someone else is signed in
   * here.
   */
  constructor({ events, state, words, isNew, take, isSending, signedOut }) {
    Object.assign(this, { address: { events, state }, words, isNew, take, isSending, signedOut });
    this.events = null;
    this.isSignedOut = false;
    this.isLost = false;
    /** The numbers of the latest request for the state, and of the latest one with an answer. */
    this.requests = 0;
    this.answered = 0;
  }

  listen() {
    this.events?.close();
    if (this.isSignedOut) return;
    this.events = new EventSource(this.address.events());
    this.events.onmessage = (event) => {
      document.body.dataset.live = 'true';
      if (this.isNew(event.data)) this.refresh();
    };
    this.events.addEventListener('settings', () => this.refresh());
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
    const number = ++this.requests;
    const answer = await fetchOrNull(this.address.state);
    // A later request was answered already.
    if (number < this.answered) return;
    this.showLost(!answer || answer.status >= 500);
    if (!answer) return;
    this.answered = number;
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

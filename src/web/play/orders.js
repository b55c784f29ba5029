// Orders to the server. One is kept with its id until it is answered, so that none is lost or given twice: a page that is
// loaded again goes on with it.

import { newId, notice } from './dom.js';
import { asked, pause, RETRY_MS } from './request.js';

export class Orders {
  /** `answered` is called with the server's answer to an order. */
  constructor({ table, token, words, answered }) {
    Object.assign(this, { table, token, words, answered });
    this.key = `rookery-order-${table}`;
  }

  /** Whether an order waits for its answer. */
  get isPending() {
    return sessionStorage.getItem(this.key) !== null;
  }

  /** Sends an order until it is answered, unless another one waits. */
  async send(query) {
    if (this.isPending) return;
    sessionStorage.setItem(this.key, `${query}&id=${newId()}`);
    await this.sendPending();
  }

  /** Sends the order that waits, if one does. */
  async sendPending() {
    const order = sessionStorage.getItem(this.key);
    if (!order) return;
    document.body.classList.add('sending');
    notice(this.words.sending);
    const headers = { 'x-rookery-page': this.token };
    for (let attempt = 0; ; attempt++) {
      const answer = await asked(`/play/${this.table}/order?${order}`, { method: 'POST', headers });
      if (answer && answer.status < 500 && answer.status !== 429) {
        sessionStorage.removeItem(this.key);
        document.body.classList.remove('sending');
        return this.answered(answer);
      }
      notice(this.words.lost, true);
      await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
    }
  }
}

// Orders to the server, such as moves. An order keeps its id until it is answered, also over a reload, so that none is
// lost or carried out twice.

import { newId, notice } from './dom.js';
import { sendOrder } from './request.js';
import { windowStorage } from './storage.js';

export class Orders {
  /** `answered(answer)` is called with the response to an order. */
  constructor({ table, token, words, answered }) {
    Object.assign(this, { table, token, words, answered });
    this.place = `rookery-order-${table}`;
  }

  /** The order that waits for its answer, as a query; null if there is none. */
  get pending() {
    return windowStorage.get(this.place);
  }

  /** Sends an order, unless another one waits for its answer. */
  async send(query) {
    if (this.pending) return;
    windowStorage.set(this.place, `${query}&id=${newId()}`);
    await this.sendPending();
  }

  /** Sends the order that waits for its answer, if any, until there is one. */
  async sendPending() {
    const order = this.pending;
    if (!order) return;
    document.body.classList.add('sending');
    notice(this.words.sending);
    const address = `/play/${this.table}/order?${order}`;
    const answer = await sendOrder(address, this.token, { onLost: () => notice(this.words.lost, true) });
    windowStorage.remove(this.place);
    document.body.classList.remove('sending');
    return this.answered(answer);
  }
}

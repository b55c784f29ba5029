// A move that the bot suggests. It is asked for as an order, but beside the others: the person may play meanwhile.

import { $, h, local, newId, say, unbroken } from './dom.js';
import { cellsOf, stepsOf } from './moves.js';
import { sendOrder } from './request.js';
import { windowStorage } from './storage.js';

/** How long the page waits before it says the same again. */
const AGAIN_MS = 100;

export class Hint {
  /**
   * `take(state)` shows the state that comes with an answer, `refresh()` requests one, and `changed()` is called when
   * another move is suggested, or none.
   */
  constructor({ table, token, words, take, refresh, changed }) {
    Object.assign(this, { table, token, words, take, refresh, changed, position: null, thinks: null, found: null });
    this.place = `rookery-hint-${table}`;
  }

  /** Takes a state: a hint is for one position, and ends with it. */
  show(state) {
    this.state = state;
    this.order = state.actions.find((action) => isHint(action))?.order ?? null;
    const position = this.order && [this.order, ...state.record].join(' ');
    if (position === this.position) return;
    Object.assign(this, { position, thinks: null, found: null });
    const kept = this.recall();
    if (kept?.found) this.found = kept.found;
    this.tell(this.found?.said);
    // A reload goes on with the request that it has interrupted.
    if (kept?.waits) this.ask();
  }

  /** Returns what is kept for the present position: the id of its requests, and the answer or whether it is awaited. */
  recall() {
    const kept = JSON.parse(windowStorage.get(this.place));
    return this.position && kept?.position === this.position ? kept : null;
  }

  keep(more) {
    const { position } = this;
    windowStorage.set(this.place, JSON.stringify({ id: newId(), ...this.recall(), position, ...more }));
  }

  press() {
    if (this.thinks) return;
    if (!this.found) return this.ask();
    say('');
    setTimeout(() => say(this.found?.said ?? ''), AGAIN_MS);
  }

  /** Asks until there is an answer or another position. All requests for a position have the same id. */
  async ask() {
    const request = {};
    this.thinks = request;
    this.keep({ waits: true });
    this.tell(this.words.hinting);
    this.changed();
    const address = `/play/${this.table}/order?${this.order}&id=${this.recall().id}`;
    const isStale = () => this.thinks !== request;
    const answer = await sendOrder(address, this.token, { onLost: () => this.tell(this.words.lost, true), isStale });
    // The connection may be cut within the body. Pressed again, the button sends the same order.
    const body = await answer?.json().catch(() => ({ said: this.words['no-answer'] }));
    if (!isStale()) await this.answered(body);
  }

  async answered({ said, hint, state }) {
    this.thinks = null;
    // The answer to a request that was late is for another turn.
    this.found = hint && hint.ply === this.state.ply ? { move: hint.move, said } : null;
    this.keep({ waits: false, found: this.found });
    this.tell(hint ? this.found?.said : said, !hint);
    if (state) this.take(state);
    else await this.refresh();
    this.changed();
  }

  /** Shows a sentence beside the board, and says it to screen readers. */
  tell(text, wrong = false) {
    const said = local(text ?? '');
    $('hint').replaceChildren(...unbroken(said));
    $('hint').classList.toggle('wrong', wrong);
    if (said) say(said);
  }

  /** The steps of the move that is suggested; none without a hint. */
  get steps() {
    return (this.found && stepsOf(this.state.steps, this.found.move)) ?? [];
  }

  /** The cells of these steps, in their order. */
  get cells() {
    return cellsOf(this.state.steps, this.steps, this.state.cells);
  }

  /** Whether the step that is suggested after those taken is this one. */
  has(taken, text) {
    const { steps } = this;
    return steps[taken.length] === text && taken.every((step, at) => step === steps[at]);
  }

  /** Makes the button that asks for a hint. */
  button({ order, label }) {
    const disabled = this.thinks ? 'true' : null;
    return h('button', { 'data-order': order, 'data-key': order, 'aria-disabled': disabled, onclick: () => this.press() }, label);
  }
}

export const isHint = ({ order }) => order.startsWith('kind=hint&');

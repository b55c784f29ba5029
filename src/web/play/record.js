// The list of moves, each a button that shows the position after it, and the buttons that step through them.

import { $, fill, h } from './dom.js';

export class Record {
  /** `go(ply)` shows the position after that many turns; `words` are the page's sentences. */
  constructor({ go, words }) {
    Object.assign(this, { go, words, shown: '' });
    this.ply = 0;
    this.last = 0;
    $('first').addEventListener('click', () => this.to(0));
    $('step-back').addEventListener('click', () => this.step(-1));
    $('step-on').addEventListener('click', () => this.step(1));
    $('last').addEventListener('click', () => this.to(this.last));
  }

  /** Lists the moves of a state. A row begins where a player moves again. */
  list({ record, movers, players }) {
    this.last = record.length;
    const all = record.join(' ');
    if (all === this.shown) return;
    this.shown = all;
    const rows = [];
    record.forEach((text, at) => {
      if (at === 0 || movers[at] <= movers[at - 1]) rows.push([]);
      const label = `${at + 1}. ${players[movers[at]]?.name ?? ''}: ${text}`;
      rows.at(-1).push(h('button', { type: 'button', class: 'ply', 'data-ply': at + 1, 'aria-label': label, onclick: () => this.to(at + 1) }, text));
    });
    $('record').replaceChildren(...rows.map((row) => h('li', {}, ...row)));
  }

  /** Marks the position that is shown: after `ply` turns, or `null` beside the game. */
  mark(ply, isAside) {
    this.ply = ply;
    const [before, after] = [ply > 0 || isAside, ply < this.last || isAside];
    for (const [id, works] of [['first', before], ['step-back', before], ['step-on', ply < this.last], ['last', after]]) {
      $(id).setAttribute('aria-disabled', String(!works));
    }
    $('at').textContent = ply === 0 ? this.words['at-start'] : fill(this.words.at, { ply, last: this.last });
    for (const one of document.querySelectorAll('#record .ply')) {
      const isShown = !isAside && Number(one.dataset.ply) === ply;
      if (isShown === one.hasAttribute('aria-current')) continue;
      if (!isShown) one.removeAttribute('aria-current');
      else one.setAttribute('aria-current', 'step');
      if (isShown) this.reveal(one);
    }
  }

  /** Scrolls the list, and nothing else, so that a move is in it. */
  reveal(one) {
    const list = $('record');
    const [inner, outer] = [one.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
    // On a phone the list is one line: moves before and after the shown one are in view as well.
    list.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }

  step(by) {
    this.to(this.ply + by);
  }

  to(ply) {
    // The next step begins there, though the position may still be on its way.
    this.ply = Math.max(0, Math.min(this.last, ply));
    this.go(this.ply);
  }

  /** Steps by a key; returns whether it was one of these keys. `isFree` is whether Home and End are free. */
  key(key, isFree) {
    if (key === ',') this.step(-1);
    else if (key === '.') this.step(1);
    else if (key === '[' || (isFree && key === 'Home')) this.to(0);
    else if (key === ']' || (isFree && key === 'End')) this.to(this.last);
    else return false;
    return true;
  }
}

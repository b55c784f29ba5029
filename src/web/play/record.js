// The list of moves, each a button that shows the position after it, and the buttons that step through them.

import { $, h } from './dom.js';
import { windowStorage } from './storage.js';

/** Where this window keeps whether all moves are shown on a phone. */
const UNFOLDED = 'rookery-all-moves';

export class Record {
  /** `go(ply)` shows the position after that many turns; `step(by)` shows the next or the previous position. */
  constructor({ go, step }) {
    Object.assign(this, { go, step, shown: '', last: 0, place: null });
    $('first').addEventListener('click', () => go(0));
    $('step-back').addEventListener('click', () => step(-1));
    $('step-on').addEventListener('click', () => step(1));
    $('last').addEventListener('click', () => go(this.last));
    $('all-moves').addEventListener('click', () => this.unfold());
    $('record').addEventListener('scroll', () => this.edges(), { passive: true });
    addEventListener('resize', () => this.settle());
    this.fold(windowStorage.get(UNFOLDED) === null);
  }

  /** Lists the moves of a state. A row begins where a player moves again. */
  list({ record, movers, players }) {
    this.last = record.length;
    const all = record.join(' ');
    if (all === this.shown) return;
    this.shown = all;
    this.place = null;
    const rows = [];
    record.forEach((text, at) => {
      if (at === 0 || movers[at] <= movers[at - 1]) rows.push([]);
      const label = `${at + 1}. ${players[movers[at]]?.name ?? ''}: ${text}`;
      rows.at(-1).push(h('button', { type: 'button', class: 'ply', 'data-ply': at + 1, 'aria-label': label, onclick: () => this.go(at + 1) }, text));
    });
    $('record').replaceChildren(...rows.map((row) => h('li', {}, ...row)));
  }

  /**
   * Marks the position that is shown: after `ply` turns, or beside the game. `where` says so in words, and `canGoOn` is
   * whether a position follows it.
   */
  mark({ ply, line }, { where, canGoOn }) {
    const isAside = line.length > 0;
    const [before, after] = [ply > 0 || isAside, ply < this.last || isAside];
    for (const [id, works] of [['first', before], ['step-back', before], ['step-on', canGoOn], ['last', after]]) {
      $(id).setAttribute('aria-disabled', String(!works));
    }
    $('at').textContent = where;
    for (const one of document.querySelectorAll('#record .ply')) {
      const isShown = !isAside && Number(one.dataset.ply) === ply;
      if (isShown === one.hasAttribute('aria-current')) continue;
      if (!isShown) one.removeAttribute('aria-current');
      else one.setAttribute('aria-current', 'step');
    }
    // Where the reader has scrolled to stays, until another position is shown.
    if (this.place === `${ply} ${isAside}`) return this.edges();
    this.place = `${ply} ${isAside}`;
    this.settle();
  }

  /** Scrolls the list, and nothing else, so that the shown move is in it. */
  settle() {
    // The button that unfolds the list may appear, which leaves less room.
    this.edges();
    const one = $('record').querySelector('[aria-current]');
    if (one) this.reveal(one);
    else if (this.place === '0 false') $('record').scrollTo(0, 0);
    this.edges();
  }

  reveal(one) {
    const list = $('record');
    const [inner, outer] = [one.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
    // On a phone the list is one line: moves before and after the shown one are in view as well.
    list.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }

  /** Writes into the page at which edges of the one line on a phone more moves are, and whether it needs to be unfolded. */
  edges() {
    const { scrollLeft, clientWidth, scrollWidth, classList } = $('record');
    classList.toggle('more-before', scrollLeft > 1);
    classList.toggle('more-after', scrollLeft + clientWidth < scrollWidth - 1);
    $('all-moves').hidden = !$('moves').classList.contains('all') && scrollWidth <= $('moves').clientWidth;
  }

  /** Shows all moves on a phone, or one line again, also after a reload. */
  unfold() {
    const isFolded = $('moves').classList.contains('all');
    if (isFolded) windowStorage.remove(UNFOLDED);
    else windowStorage.set(UNFOLDED, 'true');
    this.fold(isFolded);
    this.settle();
  }

  /** Writes into the page whether the list is one line on a phone. */
  fold(isFolded) {
    $('moves').classList.toggle('all', !isFolded);
    $('all-moves').setAttribute('aria-expanded', String(!isFolded));
  }

  /** Steps by a key; returns whether it was one of these keys. `isFree` is whether Home and End are free. */
  key(key, isFree) {
    if (key === ',') this.step(-1);
    else if (key === '.') this.step(1);
    else if (key === '[' || (isFree && key === 'Home')) this.go(0);
    else if (key === ']' || (isFree && key === 'End')) this.go(this.last);
    else return false;
    return true;
  }
}

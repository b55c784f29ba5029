// Going to other positions: those of earlier turns, moves that are tried on the board alone, and plans for later turns.

import { $, fill, h, local, notice, replace } from './dom.js';
import { hasCell } from './moves.js';
import { planOf } from './panels.js';

export class Variations {
  /** `send(query)` sends an order. */
  constructor({ words, shown, send }) {
    Object.assign(this, { words, shown, send, navigation: shown.navigation });
    /** Whether the moves that are tried are to become a plan. */
    this.isPlanning = false;
    /** The line of one's own that is kept, as { ply, line }, if any: it begins after `ply` turns of the game. */
    this.variation = null;
  }

  /** The position that was asked for, as { ply, line }; it may still be on its way. */
  get requested() {
    return this.navigation.requested ?? { ply: this.shown.state.ply, line: [] };
  }

  /** Whether a position is one of the line that is kept, or where that begins. */
  isInVariation({ ply, line }) {
    return this.variation?.ply === ply && line.every((text, at) => text === this.variation.line[at]);
  }

  /** Where a step on (1) or back (-1) leads: within one's own line, or along the game; null at an end. */
  next(by) {
    const { ply, line } = this.requested;
    if (by < 0 && line.length > 0) return { ply, line: line.slice(0, -1) };
    if (by > 0 && this.isInVariation({ ply, line }) && line.length < this.variation.line.length) {
      return { ply, line: this.variation.line.slice(0, line.length + 1) };
    }
    const to = ply + by;
    return line.length === 0 && to >= 0 && to <= this.shown.state.record.length ? { ply: to, line } : null;
  }

  step(by) {
    const to = this.next(by);
    if (!to) return null;
    return to.ply === this.requested.ply ? this.navigation.go(to.ply, to.line) : this.goTo(to.ply);
  }

  /** Says where the position that is shown is, in the game or in one's own line. */
  where() {
    const { words } = this;
    const { place: { ply, line }, state } = this.shown;
    if (line.length > 0) return fill(words['at-line'], { at: line.length, last: this.variation.line.length });
    return ply === 0 ? words['at-start'] : fill(words.at, { ply, last: state.record.length });
  }

  /** Shows the position after some turns of the game. */
  goTo(ply) {
    const { state } = this.shown;
    // After the game every position can be tried on; before, the latest one is the present.
    if (ply >= state.ply && !state.over) return this.goNow();
    this.endPlan();
    this.navigation.tries = state.over;
    return this.navigation.go(ply);
  }

  /** Shows the present position; after the game, that is the last one. */
  goNow() {
    const { state, isNow } = this.shown;
    this.endPlan();
    notice('');
    if (!state.over) return this.navigation.toPresent();
    return isNow && this.navigation.current ? null : this.goTo(state.ply);
  }

  /** Keeps or leaves the position that is shown when the game goes on; `before` is the state before, if any. */
  follow(before) {
    const { navigation, words } = this;
    const { state } = this.shown;
    const same = before && before.record.every((text, at) => state.record[at] === text);
    // The last position has another headline now.
    if (before && before.over !== state.over) navigation.positions.clear();
    if (before && !same) {
      this.variation = null;
      navigation.reset();
      // A plan begins at the present.
    } else if (this.isPlanning && (state.ply !== before.ply || !state.may_plan)) {
      this.endPlan();
      navigation.toPresent();
    } else if (navigation.requested && before && state.ply > before.ply) {
      notice(fill(words['new-move'], { played: state.played }));
    } else if (navigation.requested && before && state.over && !before.over) {
      notice(fill(words['ended-since'], { result: local(state.headline) }));
    }
    // After the game moves can be tried at the position that is shown, too.
    if (state.over && before && !before.over && navigation.requested && !this.isPlanning) this.goTo(navigation.requested.ply);
    if (state.over && (!before?.over || !navigation.requested) && (!navigation.requested || this.isPlanning)) this.goTo(state.ply);
  }

  /** Plays a move on the board alone, beside the game. */
  tryMove(text) {
    const { ply, line } = this.navigation.current;
    this.shown.taken = [];
    // A move of the game itself is no line of one's own.
    const isOfTheGame = line.length === 0 && this.shown.state.record[ply] === text && !this.isPlanning;
    return isOfTheGame ? this.navigation.go(ply + 1) : this.navigation.push(text);
  }

  /**
   * Lists the moves that were tried; each leads to the position after it. They are kept while one looks at other positions,
   * until other moves are tried.
   */
  showLine() {
    const { navigation, words } = this;
    const { current: shown } = navigation;
    if (shown?.line.length > 0 && !this.isInVariation(shown)) this.variation = { ply: shown.ply, line: shown.line };
    const { variation } = this;
    $('line').hidden = !variation || !shown;
    if ($('line').hidden) return $('line').replaceChildren();
    const now = this.isInVariation(shown) ? shown.line.length : 0;
    const step = (text, at) =>
      h('button', { type: 'button', class: 'ply', 'data-key': `line ${at}`, 'aria-current': at + 1 === now ? 'step' : null,
        onclick: () => navigation.go(variation.ply, variation.line.slice(0, at + 1)) }, text);
    const discard = h('button', { type: 'button', class: 'small', id: 'discard', title: words.discard, 'aria-label': words.discard, onclick: () => this.discard() }, '✕');
    replace($('line'), [h('span', { class: 'quiet' }, words.line), ...variation.line.map(step), discard]);
  }

  /** Takes the last move of the line that is shown back for good. */
  undo() {
    const { ply, line } = this.requested;
    const left = line.slice(0, -1);
    this.variation = left.length > 0 ? { ply, line: left } : null;
    return this.navigation.go(ply, left);
  }

  /** Forgets one's own line. */
  discard() {
    this.variation = null;
    return this.navigation.go(this.requested.ply);
  }

  /** Returns the buttons that belong to the position that is shown; `isDrawing` is whether touches draw. */
  buttons(isDrawing) {
    const { navigation, words } = this;
    const { state } = this.shown;
    const parts = [];
    const line = navigation.current?.line ?? [];
    const button = (id, text, onclick, kind) => h('button', { type: 'button', id, 'data-key': id, class: kind, onclick }, text);
    if (this.isPlanning) {
      const whose = navigation.current?.view.turn === this.shown.seat ? 'plan-yours' : 'plan-theirs';
      parts.push(h('p', { class: 'quiet' }, words[whose]));
      if (this.ownMoves().at(-1)) parts.push(button('save-plan', words['plan-save'], () => this.savePlan(), 'primary'));
    } else if (!isDrawing && state.over && line.length === 0 && this.shown.choices.some(hasCell)) {
      parts.push(h('p', { class: 'quiet' }, this.shown.startsWithPieces ? words.try : words['try-cell']));
    } else if (!navigation.current && state.may_plan) {
      parts.push(button('plan', words.plan, () => this.beginPlan()));
    }
    if (line.length > 0) parts.push(button('undo', words.undo, () => this.undo()));
    if (this.isPlanning) parts.push(button('now', words['to-now'], () => this.goNow()));
    else if (line.length > 0) parts.push(button('to-game', words['to-game'], () => navigation.go(navigation.current.ply)));
    else if (!this.shown.isNow) parts.push(button('now', words['to-now'], () => this.goNow(), 'primary'));
    return parts;
  }

  /** Whether each move of the line is the person's own. */
  ownMoves() {
    const own = this.shown.seat;
    return (this.navigation.current?.view.movers ?? []).map((mover) => mover === own);
  }

  endPlan() {
    if (this.isPlanning) this.variation = null;
    this.isPlanning = false;
  }

  beginPlan() {
    this.isPlanning = true;
    this.navigation.tries = true;
    return this.navigation.go(this.shown.state.ply);
  }

  async savePlan() {
    const text = planOf(this.navigation.current.line, this.ownMoves());
    this.goNow();
    await this.send(`kind=plan&text=${encodeURIComponent(text)}`);
  }
}

// Going to other positions: those of earlier turns, moves that are tried on the board alone, and plans for later turns.

import { $, fill, h, notice, replace } from './dom.js';
import { planOf } from './panels.js';

export class Exploring {
  /** `send(query)` sends an order. */
  constructor({ words, shown, send }) {
    Object.assign(this, { words, shown, send, walk: shown.walk });
    /** Whether the moves that are tried are to become a plan. */
    this.isPlanning = false;
    /** The line of one's own that is kept, as { ply, line }, if any: it begins after `ply` turns of the game. */
    this.own = null;
  }

  /** The position that is wanted, as { ply, line }; it may still be on its way. */
  get wanted() {
    return this.walk.wanted ?? { ply: this.shown.state.ply, line: [] };
  }

  /** Whether a position is one of the line that is kept, or where that begins. */
  isOwn({ ply, line }) {
    return this.own?.ply === ply && line.every((text, at) => text === this.own.line[at]);
  }

  /** Where a step on (1) or back (-1) leads: within one's own line, or along the game; null at an end. */
  next(by) {
    const { ply, line } = this.wanted;
    if (by < 0 && line.length > 0) return { ply, line: line.slice(0, -1) };
    if (by > 0 && this.isOwn({ ply, line }) && line.length < this.own.line.length) {
      return { ply, line: this.own.line.slice(0, line.length + 1) };
    }
    const to = ply + by;
    return line.length === 0 && to >= 0 && to <= this.shown.state.record.length ? { ply: to, line } : null;
  }

  step(by) {
    const to = this.next(by);
    if (!to) return null;
    return to.ply === this.wanted.ply ? this.walk.go(to.ply, to.line) : this.goTo(to.ply);
  }

  /** Says where the position that is shown is, in the game or in one's own line. */
  where() {
    const { words } = this;
    const { place: { ply, line }, state } = this.shown;
    if (line.length > 0) return fill(words['at-line'], { at: line.length, last: this.own.line.length });
    return ply === 0 ? words['at-start'] : fill(words.at, { ply, last: state.record.length });
  }

  /** Shows the position after some turns of the game. */
  goTo(ply) {
    const { state } = this.shown;
    // After the game every position can be tried on; before, the latest one is the present.
    if (ply >= state.ply && !state.over) return this.goNow();
    this.endPlan();
    this.walk.tries = state.over;
    return this.walk.go(ply);
  }

  /** Shows the present position; after the game, that is the last one. */
  goNow() {
    const { state, isNow } = this.shown;
    this.endPlan();
    notice('');
    if (!state.over) return this.walk.leave();
    return isNow && this.walk.at ? null : this.goTo(state.ply);
  }

  /** Keeps or leaves the position that is shown when the game goes on; `before` is the state before, if any. */
  follow(before) {
    const { walk, words } = this;
    const { state } = this.shown;
    const same = before && before.record.every((text, at) => state.record[at] === text);
    // The last position has another headline now.
    if (before && before.over !== state.over) walk.positions.clear();
    if (before && !same) {
      this.own = null;
      walk.reset();
      // A plan begins at the present.
    } else if (this.isPlanning && (state.ply !== before.ply || !state.may_plan)) {
      this.endPlan();
      walk.leave();
    } else if (walk.wanted && before && state.ply > before.ply) {
      notice(fill(words['new-move'], { played: state.played }));
    } else if (walk.wanted && before && state.over && !before.over) {
      notice(fill(words['new-move'], { played: state.headline }));
    }
    // After the game moves can be tried at the position that is shown, too.
    if (state.over && before && !before.over && walk.wanted && !this.isPlanning) this.goTo(walk.wanted.ply);
    if (state.over && (!before?.over || !walk.wanted) && (!walk.wanted || this.isPlanning)) this.goTo(state.ply);
  }

  /** Plays a move on the board alone, beside the game. */
  tryMove(text) {
    const { ply, line } = this.walk.at;
    this.shown.taken = [];
    // A move of the game itself is no line of one's own.
    const isOfTheGame = line.length === 0 && this.shown.state.record[ply] === text && !this.isPlanning;
    return isOfTheGame ? this.walk.go(ply + 1) : this.walk.push(text);
  }

  /**
   * Lists the moves that were tried; each leads to the position after it. They are kept while one looks at other positions,
   * until other moves are tried.
   */
  showLine() {
    const { walk, words } = this;
    const { at: shown } = walk;
    if (shown?.line.length > 0 && !this.isOwn(shown)) this.own = { ply: shown.ply, line: shown.line };
    const { own } = this;
    $('line').hidden = !own || !shown;
    if ($('line').hidden) return $('line').replaceChildren();
    const now = this.isOwn(shown) ? shown.line.length : 0;
    const step = (text, at) =>
      h('button', { type: 'button', class: 'ply', 'data-key': `line ${at}`, 'aria-current': at + 1 === now ? 'step' : null,
        onclick: () => walk.go(own.ply, own.line.slice(0, at + 1)) }, text);
    const discard = h('button', { type: 'button', class: 'small', id: 'discard', title: words.discard, 'aria-label': words.discard, onclick: () => this.discard() }, '✕');
    replace($('line'), [h('span', { class: 'quiet' }, words.line), ...own.line.map(step), discard]);
  }

  /** Takes the last move of the line that is shown back for good. */
  undo() {
    const { ply, line } = this.wanted;
    const left = line.slice(0, -1);
    this.own = left.length > 0 ? { ply, line: left } : null;
    return this.walk.go(ply, left);
  }

  /** Forgets one's own line. */
  discard() {
    this.own = null;
    return this.walk.go(this.wanted.ply);
  }

  /** Returns the buttons that belong to the position that is shown; `isDrawing` is whether touches draw. */
  buttons(isDrawing) {
    const { walk, words } = this;
    const { state } = this.shown;
    const parts = [];
    const line = walk.at?.line ?? [];
    const button = (id, text, onclick, kind) => h('button', { type: 'button', id, 'data-key': id, class: kind, onclick }, text);
    if (this.isPlanning) {
      const whose = walk.at?.view.turn === this.shown.seat ? 'plan-yours' : 'plan-theirs';
      parts.push(h('p', { class: 'quiet' }, words[whose]));
      if (this.ownMoves().at(-1)) parts.push(button('save-plan', words['plan-save'], () => this.savePlan(), 'primary'));
    } else if (isDrawing) {
      parts.push(h('p', { class: 'quiet' }, words['try-draw']));
    } else if (state.over && line.length === 0 && this.shown.choices.some((choice) => (choice.cell ?? null) !== null)) {
      parts.push(h('p', { class: 'quiet' }, this.shown.startsWithPieces ? words.try : words['try-cell']));
    } else if (!walk.at && state.may_plan) {
      parts.push(button('plan', words.plan, () => this.beginPlan()));
    }
    if (line.length > 0) parts.push(button('undo', words.undo, () => this.undo()));
    if (this.isPlanning) parts.push(button('now', words['to-now'], () => this.goNow()));
    else if (line.length > 0) parts.push(button('to-game', words['to-game'], () => walk.go(walk.at.ply)));
    else if (!this.shown.isNow) parts.push(button('now', words['to-now'], () => this.goNow(), 'primary'));
    return parts;
  }

  /** Whether each move of the line is the person's own. */
  ownMoves() {
    const own = this.shown.seat;
    return (this.walk.at?.view.movers ?? []).map((mover) => mover === own);
  }

  endPlan() {
    if (this.isPlanning) this.own = null;
    this.isPlanning = false;
  }

  beginPlan() {
    this.isPlanning = true;
    this.walk.tries = true;
    return this.walk.go(this.shown.state.ply);
  }

  async savePlan() {
    const text = planOf(this.walk.at.line, this.ownMoves());
    this.goNow();
    await this.send(`kind=plan&text=${encodeURIComponent(text)}`);
  }
}

// Choosing a move, or taking its steps back: by touching or dragging on the board, and by the buttons beside it.

import { $, arrow, fill, h, notice, replace, say } from './dom.js';
import { isDoublePress } from './double-press.js';
import { buttons, canComeInOn, choices, entering, hasCell, hasHeading, nextKind, withForced } from './moves.js';

export class Choosing {
  /** `prompts` ask for the kinds of steps; `send(query)` sends an order. */
  constructor({ words, prompts, shown, board, view, hint, variations, send }) {
    Object.assign(this, { words, prompts, shown, board, view, hint, variations, send });
    /** Whether the buttons ask which of several meanings a touch has. */
    this.isAsking = false;
    this.forgetRefusal();
  }

  /** Forgets why the cell that was touched last can't be chosen: another step was taken since, so it isn't said again. */
  forgetRefusal() {
    /** That reason, and what was chosen then. */
    this.refusal = { why: '', at: '' };
  }

  /** A cell is touched, clicked, or chosen by a key. */
  touched(at) {
    const { shown } = this;
    if (!shown.tree) return;
    const { nextCells } = shown;
    if (nextCells.has(at)) return this.mean(nextCells.get(at));
    // The second press of a double press doesn't take back what the first one chose.
    if (shown.chosen.at(-1) === at) return isDoublePress() ? null : this.back();
    const { firstCells } = shown;
    if (firstCells.has(at)) {
      shown.taken = [];
      this.view.show(true);
      return this.mean(firstCells.get(at));
    }
    this.refuse(at);
  }

  /** A piece beside the board is touched, clicked, or pressed by a key: it comes in. When it was chosen before, it doesn't. */
  picked(text) {
    const { shown } = this;
    const isChosen = shown.taken[0] === text;
    shown.taken = isChosen ? [text] : [];
    return isChosen ? this.back() : this.choose([text]);
  }

  /** Says why a cell can't be chosen. */
  refuse(at) {
    const { shown, words } = this;
    const cell = shown.state.cells[at].name;
    const isFirst = shown.taken.length === 0 && shown.startsWithPieces;
    const comesIn = shown.taken.length === 0 && canComeInOn(shown.tree, at) && this.prompts.piece;
    const other = comesIn || (shown.nextCells.size === 0 && this.prompt()) || fill(isFirst ? words['refused-piece'] : words.refused, { cell });
    const why = shown.isWhole ? words['refused-whole'] : other;
    this.board.refuse(at);
    this.refusal = { why, at: this.positionKey };
    this.show();
    say(why);
  }

  /** A piece is dragged (`to` is null while it begins), or dropped on a cell; returns whether it can go there. */
  dropped(from, to) {
    if (to === null) {
      if (this.shown.chosen.at(-1) !== from) this.touched(from);
      return true;
    }
    const goes = to !== from && this.shown.nextCells.has(to);
    if (goes) this.touched(to);
    else if (to >= 0 && to !== from) this.refuse(to);
    return goes;
  }

  /** Takes the steps that a touch means; asks if it can mean several. */
  mean(meanings) {
    if (meanings.length === 1) return this.choose(meanings[0]);
    this.forgetRefusal();
    const names = new Map(this.shown.choices.map((choice) => [choice.text, choice.label]));
    const button = (steps) =>
      h('button', { class: 'primary', 'data-step': steps[0], onclick: () => this.choose(steps) }, names.get(steps[0]), this.suggested(steps[0]));
    const comeIn = this.shown.taken.length === 0 && meanings.every((steps) => steps.length === 1);
    const question = comeIn ? this.prompts.piece : this.prompts.manner;
    $('choices').replaceChildren(h('p', {}, question), ...meanings.map(button), h('button', { id: 'back', onclick: () => this.show() }, this.words.back));
    $('choices').classList.add('begun');
    this.isAsking = true;
    this.expose();
    if (document.activeElement?.closest?.('#cells')) $('choices').querySelector('button').focus({ preventScroll: true });
    say(question);
  }

  choose(steps) {
    const { shown } = this;
    shown.taken = withForced(shown.tree, [...shown.taken, ...steps]);
    this.forgetRefusal();
    notice('');
    if (shown.isWhole && (shown.navigation.current || !shown.state.confirms)) return this.play();
    // A move that began with a button far below goes on there.
    this.board.reveal();
    this.view.show(true);
    this.show();
    say(shown.isWhole ? this.question() : this.progress());
  }

  /** Takes the last choice back. */
  back() {
    const { shown } = this;
    const { navigation } = shown;
    if (this.board.pointerTool?.escape()) return null;
    this.forgetRefusal();
    if (this.isAsking && shown.taken.length === 0) return this.show();
    if (shown.taken.length === 0) return navigation.requested?.line.length > 0 ? this.variations.step(-1) : this.variations.goNow();
    const isForced = () => shown.choices.length === 1 && !hasCell(shown.choices[0]);
    do shown.taken.pop();
    while (shown.taken.length > 0 && isForced());
    this.view.show(true);
    this.show();
    say(shown.taken.length > 0 ? this.progress() : shown.here.headline);
  }

  /** Plays the whole move that was chosen: in the game, or only on the board if another position is shown. */
  play() {
    const { navigation, state, text } = this.shown;
    if (navigation.current) return this.variations.tryMove(text);
    // The move and the reply are seen there.
    this.board.reveal();
    this.send(`kind=move&ply=${state.ply}&text=${encodeURIComponent(text)}`);
  }

  /** Asks for the next step of a move; nothing before the first one if it may be on the board. */
  prompt() {
    const { tree, taken } = this.shown;
    const question = this.prompts[nextKind(tree, taken)];
    return question && [entering(tree, taken), question].filter(Boolean).join('. ');
  }

  /** Says what was chosen so far, and what comes next. */
  progress() {
    return [this.shown.text, this.prompt()].filter(Boolean).join('. ');
  }

  /** Asks whether the move that was chosen is to be played. */
  question() {
    return this.words.confirm.replace('{move}', this.shown.text);
  }

  /** Shows the buttons for the next step, or for the whole move. */
  show() {
    const { shown, words } = this;
    const isReady = !shown.navigation.current && shown.isWhole;
    this.isAsking = false;
    this.expose();
    const why = this.refusal.at === this.positionKey && this.refusal.why;
    const question = why || (isReady ? this.question() : this.prompt());
    const parts = question ? [h('p', { class: why ? 'wrong' : null }, question)] : [];
    if (isReady) {
      parts.push(h('button', { class: 'primary', id: 'play', onclick: () => this.play() }, words.play));
    } else if (shown.tree) {
      const signs = buttons(shown.tree, shown.taken).filter((sign) => !this.isLit(sign));
      parts.push(...signs.map((sign) => this.button(sign)));
    }
    if (shown.taken.length > 0) parts.push(h('button', { id: 'back', onclick: () => this.back() }, words.back));
    else parts.push(...this.variations.buttons(Boolean(this.board.pointerTool?.isOn)));
    const byKeys = $('choices').querySelector(':focus-visible');
    replace($('choices'), parts);
    // On a phone the buttons of a begun move are at the bottom of the window (play.css).
    $('choices').classList.toggle('begun', shown.taken.length > 0 || Boolean(why) || $('save-plan') !== null);
    // A button that a key has pressed is gone: the keys go on at the next one, or at the board.
    if (byKeys && document.activeElement === document.body) {
      const next = shown.nextCells.size === 0 && $('choices').querySelector('[data-step]');
      (next || this.board).focus();
    }
    if (isReady && document.activeElement?.closest?.('#cells')) $('play')?.focus({ preventScroll: true });
  }

  /** What is chosen so far, in the latest state. */
  get progressKey() {
    return `${this.shown.state.entry} ${this.shown.taken.join('~')}`;
  }

  /** The position that was gone to; empty at the present. */
  get placeKey() {
    const { current } = this.shown.navigation;
    return current ? [current.ply, ...current.line].join(' ') : '';
  }

  /** What is chosen so far and where. */
  get positionKey() {
    return `${this.progressKey} ${this.placeKey}`;
  }

  /** Writes it into the page, for tests and styles. */
  expose() {
    const { state } = this.shown;
    const turn = state.over ? 'over' : state.mine ? 'mine' : 'other';
    const now = this.progressKey + (this.isAsking ? '?' : '');
    Object.assign(document.body.dataset, { now, place: this.placeKey, turn });
  }

  /** Makes the button of a step that has no cell of its own. */
  button(sign) {
    const heading = hasHeading(sign) ? [arrow(sign.heading), ' '] : [];
    const attributes = { 'data-step': sign.text, onclick: () => this.choose([sign.text]) };
    return h('button', attributes, ...heading, sign.label, this.suggested(sign.text));
  }

  /** What a button of a suggested step says besides its label. */
  suggested(text) {
    const { navigation, taken } = this.shown;
    return !navigation.current && this.hint.has(taken, text) ? h('span', { class: 'hinted' }, ` (${this.words.hinted})`) : '';
  }

  /** Whether every cell after a sign is lit already, so that it needs no button. */
  isLit(sign) {
    const { shown } = this;
    const later = sign.after ? choices(shown.tree, [...shown.taken, sign.text]) : [];
    const lit = shown.nextCells;
    return later.length > 0 && later.every((choice) => lit.get(choice.cell)?.some((steps) => steps[0] === sign.text));
  }
}

// After the game: the engine's best lines at a position, whose moves can be stepped through, and the territory.

import { $, h, local, notice } from './dom.js';

/** Names a position: the turns of the game and the moves of a line after them. */
const nameOf = (ply, line) => [ply, ...line].join(' ');

export class Analysis {
  /**
   * `ask(ply, line)` requests the lines, as a response or null; `go(ply, line)` shows a position; `tint(on)` shows
   * territory, and resolves to whether it is shown.
   */
  constructor({ ask, go, tint, words }) {
    Object.assign(this, { ask, go, words, known: new Map(), ply: 0, line: [] });
    $('best').addEventListener('click', () => this.find());
    $('territory').addEventListener('click', async () => {
      const isShown = await tint($('territory').getAttribute('aria-pressed') !== 'true');
      $('territory').setAttribute('aria-pressed', String(isShown));
    });
  }

  /** Shows what belongs to a position of a finished game. */
  show({ analysis }, { ply, line }, view) {
    [this.ply, this.line] = [ply, line];
    $('territory').hidden = !analysis.territory;
    $('legend').textContent = view?.legend ?? '';
    this.list();
  }

  /** Lists the lines at the position that is shown, or those that led to it: its moves are theirs. */
  list() {
    const begin = this.from();
    if (begin === null) return $('lines').replaceChildren();
    const before = this.line.slice(0, begin);
    const own = this.line.slice(begin);
    const item = ({ value, moves }) => {
      const step = (text, at) => {
        const isShown = own.length === at + 1 && moves.slice(0, at + 1).join() === own.join();
        return h('button', { type: 'button', class: 'ply', 'aria-current': isShown ? 'step' : null,
          onclick: () => this.go(this.ply, [...before, ...moves.slice(0, at + 1)]) }, text);
      };
      return h('li', {}, h('span', { class: 'value' }, value), h('span', { class: 'moves' }, ...moves.map(step)));
    };
    const focused = [...$('lines').querySelectorAll('button')].indexOf(document.activeElement);
    $('lines').replaceChildren(...this.known.get(nameOf(this.ply, before)).map(item));
    if (focused >= 0) $('lines').querySelectorAll('button')[focused]?.focus();
  }

  /** The number of moves of the line after which the lines to be shown begin; null if there are none. */
  from() {
    for (let begin = this.line.length; begin >= 0; begin--) {
      const lines = this.known.get(nameOf(this.ply, this.line.slice(0, begin)));
      const own = this.line.slice(begin);
      if (lines && (begin === this.line.length || lines.some(({ moves }) => moves.slice(0, own.length).join() === own.join()))) {
        return begin;
      }
    }
    return null;
  }

  async find() {
    const [ply, line] = [this.ply, this.line];
    const name = nameOf(ply, line);
    if ($('best').getAttribute('aria-disabled') === 'true' || this.known.has(name)) return;
    notice(this.words.thinking);
    $('best').setAttribute('aria-disabled', 'true');
    const answer = await this.ask(ply, line);
    const { lines, said } = (await answer?.json().catch(() => null)) ?? {};
    $('best').setAttribute('aria-disabled', 'false');
    if (!lines) return notice(local(said ?? this.words['no-answer']), true);
    notice(lines.length === 0 ? this.words['no-lines'] : '');
    this.known.set(name, lines);
    this.list();
  }
}

// After the game: the engine's best lines at a position, whose moves can be stepped through, and the territory.

import { $, h, local, notice } from './dom.js';

export class Analysis {
  /**
   * `ask(ply)` requests the lines, as a response or null; `go(ply, line)` shows a position; `tint(on)` shows territory,
   * and resolves to whether it is shown.
   */
  constructor({ ask, go, tint, words }) {
    Object.assign(this, { ask, go, words, known: new Map(), ply: 0, line: [] });
    $('best').addEventListener('click', () => this.find());
    $('territory').addEventListener('click', async () => {
      const isShown = await tint($('territory').getAttribute('aria-pressed') !== 'true');
      $('territory').setAttribute('aria-pressed', String(isShown));
    });
  }

  /** Shows what belongs to a position of a state. */
  show({ analysis }, { ply, line }, view) {
    $('analysis').hidden = !analysis;
    if (!analysis) return;
    [this.ply, this.line] = [ply, line];
    $('territory').hidden = !analysis.territory;
    $('legend').textContent = view?.legend ?? '';
    // The engine was asked about positions of the game, not about those beside it.
    $('best').setAttribute('aria-disabled', String(line.length > 0 && !this.known.has(ply)));
    this.list();
  }

  list() {
    const lines = this.known.get(this.ply);
    if (!lines) return $('lines').replaceChildren();
    const item = ({ value, moves }) => {
      const step = (text, at) => {
        const isShown = this.line.length === at + 1 && moves.slice(0, at + 1).join() === this.line.join();
        return h('button', { type: 'button', class: 'ply', 'aria-current': isShown ? 'step' : null,
          onclick: () => this.go(this.ply, moves.slice(0, at + 1)) }, text);
      };
      return h('li', {}, h('span', { class: 'value' }, value), h('span', { class: 'moves' }, ...moves.map(step)));
    };
    const focused = [...$('lines').querySelectorAll('button')].indexOf(document.activeElement);
    $('lines').replaceChildren(...lines.map(item));
    if (focused >= 0) $('lines').querySelectorAll('button')[focused]?.focus();
  }

  async find() {
    const ply = this.ply;
    if ($('best').getAttribute('aria-disabled') === 'true' || this.known.has(ply)) return;
    notice(this.words.thinking);
    $('best').setAttribute('aria-disabled', 'true');
    const answer = await this.ask(ply);
    const { lines, said } = (await answer?.json().catch(() => null)) ?? {};
    $('best').setAttribute('aria-disabled', 'false');
    if (!lines) return notice(local(said ?? this.words.lost), true);
    notice(lines.length === 0 ? this.words['no-lines'] : '');
    this.known.set(ply, lines);
    this.list();
  }
}

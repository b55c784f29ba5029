// The board of a game: the drawing of what is shown, also after the steps of a half-made move, and the marks over it.

import { asked } from './request.js';

const MAX_DRAWINGS = 60;

export class BoardView {
  constructor({ table, words, shown, board, offBoard, hint }) {
    Object.assign(this, { table, words, shown, board, offBoard, hint, drawn: '', drawings: new Map() });
  }

  /** Draws what is shown. Pieces that moved glide there if `glides`. */
  show(glides) {
    const { shown, board } = this;
    const half = this.halfMove();
    const drawing = shown.taken.length === 0 ? shown.here.board : this.drawings.get(half);
    if (drawing && drawing !== this.drawn) {
      board.draw(drawing, glides, shown.here.marks);
      this.drawn = drawing;
    } else if (!drawing) {
      this.fetch(half);
    }
    if (shown.state.cells.length > 0) board.lay(shown.state.cells, shown.state.corners);
    document.body.classList.toggle('looking', !shown.isNow);
    this.mark();
  }

  /** Forgets the drawings of half-made moves, because another position is the present one. */
  forget() {
    this.drawings.clear();
  }

  /** The query of the board after the steps of a half-made move. */
  halfMove() {
    const { walk, taken, place: { ply, line } } = this.shown;
    return new URLSearchParams({ ply, line: line.join(','), tries: Boolean(walk.at), steps: taken.join('~') }).toString();
  }

  /** Fetches the board after the steps of a half-made move. */
  async fetch(half) {
    const answer = await asked(`/play/${this.table}/after?${half}`);
    // Otherwise the marks show what was chosen, and the drawing comes with the move.
    if (!answer?.ok) return;
    const { board: drawing } = await answer.json();
    if (this.drawings.size >= MAX_DRAWINGS) this.drawings.clear();
    this.drawings.set(half, drawing);
    if (this.shown.taken.length > 0 && this.halfMove() === half) this.show(true);
  }

  /** Marks what was chosen and what can be chosen. */
  mark() {
    const { shown, board, words } = this;
    if (!board.overlay) return;
    const chosen = new Set(shown.chosen);
    const next = new Set(shown.able.keys());
    const hasBegun = shown.taken.length > 0;
    const hinted = shown.walk.at ? [] : this.hint.cells;
    board.mark({
      able: hasBegun ? new Set(shown.first.keys()) : next,
      chosen,
      goals: hasBegun || !shown.startsWithPieces ? next : new Set(),
      next,
      hinted,
      label: (at) => {
        const cell = { ...shown.state.cells[at], ...shown.here.cells[at] };
        const more = chosen.has(at) ? words.chosen : next.has(at) && !board.pen?.isOn ? words['can-choose'] : null;
        return [`${cell.name}: ${cell.has}`, more, hinted.includes(at) ? words.hinted : null].filter(Boolean).join(', ');
      },
    });
    this.markOffBoard();
  }

  /** Marks the pieces beside the board that can come in. Touches that draw leave them alone. */
  markOffBoard() {
    const { shown, board, hint, words } = this;
    const pieces = board.pen?.isOn ? [] : shown.offBoard;
    this.offBoard.show(pieces.map((piece) => {
      const isChosen = shown.taken[0] === piece.text;
      const isHinted = !shown.walk.at && hint.has([], piece.text);
      const label = [piece.label, isChosen ? words.chosen : words['can-choose'], isHinted ? words.hinted : null];
      return { ...piece, isChosen, hasLeft: isChosen && shown.taken.length > 1, isHinted, label: label.filter(Boolean).join(', ') };
    }));
  }
}

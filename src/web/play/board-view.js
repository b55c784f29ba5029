// The board of a game: the drawing of what is shown, also after the steps of a partial move, and the marks over it.

import { fetchOrNull } from './request.js';

const MAX_DRAWINGS = 60;

export class BoardView {
  constructor({ table, words, shown, board, offBoard, hint }) {
    Object.assign(this, { table, words, shown, board, offBoard, hint, drawn: '', drawings: new Map() });
  }

  /** Draws what is shown. Pieces that moved glide there if `glides`. */
  show(glides) {
    const { shown, board } = this;
    const query = this.partialMoveQuery();
    const drawing = shown.taken.length === 0 ? shown.here.board : this.drawings.get(query);
    if (drawing && drawing !== this.drawn) {
      board.draw(drawing, glides, shown.here.marks);
      this.drawn = drawing;
    } else if (!drawing) {
      this.fetch(query);
    }
    if (shown.state.cells.length > 0) board.lay(shown.state.cells, shown.state.corners);
    document.body.classList.toggle('looking', !shown.isNow);
    this.mark();
  }

  /** Forgets the drawings of partial moves, because another position is the present one. */
  forget() {
    this.drawings.clear();
  }

  /** The query of the board after the steps of a partial move. */
  partialMoveQuery() {
    const { navigation, taken, place: { ply, line } } = this.shown;
    return new URLSearchParams({ ply, line: line.join(','), tries: Boolean(navigation.current), steps: taken.join('~') }).toString();
  }

  /** Fetches the board after the steps of a partial move. */
  async fetch(query) {
    const answer = await fetchOrNull(`/play/${this.table}/after?${query}`);
    // Otherwise the marks show what was chosen, and the drawing comes with the move.
    if (!answer?.ok) return;
    const { board: drawing } = await answer.json();
    if (this.drawings.size >= MAX_DRAWINGS) this.drawings.clear();
    this.drawings.set(query, drawing);
    if (this.shown.taken.length > 0 && this.partialMoveQuery() === query) this.show(true);
  }

  /** Marks what was chosen and what can be chosen. */
  mark() {
    const { shown, board, words } = this;
    if (!board.overlay) return;
    const chosen = new Set(shown.chosen);
    const nextCells = new Set(shown.nextCells.keys());
    const hasBegun = shown.taken.length > 0;
    const hinted = shown.navigation.current ? [] : this.hint.cells;
    board.mark({
      selectable: hasBegun ? new Set(shown.firstCells.keys()) : nextCells,
      chosen,
      destinations: hasBegun || !shown.startsWithPieces ? nextCells : new Set(),
      nextCells,
      hinted,
      label: (at) => {
        const cell = { ...shown.state.cells[at], ...shown.here.cells[at] };
        const more = chosen.has(at) ? words.chosen : nextCells.has(at) && !board.pointerTool?.isOn ? words['can-choose'] : null;
        return [`${cell.name}: ${cell.has}`, more, hinted.includes(at) ? words.hinted : null].filter(Boolean).join(', ');
      },
    });
    this.markOffBoard();
  }

  /** Marks the pieces beside the board that can come in. Touches that draw leave them alone. */
  markOffBoard() {
    const { shown, board, hint, words } = this;
    const pieces = board.pointerTool?.isOn ? [] : shown.offBoard;
    this.offBoard.show(pieces.map((piece) => {
      const isChosen = shown.taken[0] === piece.text;
      const isHinted = !shown.navigation.current && hint.has([], piece.text);
      const label = [piece.label, isChosen ? words.chosen : words['can-choose'], isHinted ? words.hinted : null];
      return { ...piece, isChosen, hasLeft: isChosen && shown.taken.length > 1, isHinted, label: label.filter(Boolean).join(', ') };
    }));
  }
}

// What the page shows: the latest state from the server, another position if the person has gone to one, and the steps
// chosen so far of a move. How these look is up to other modules.

import { choices, isWhole, lastCell, targets } from './moves.js';

export class Shown {
  /** `navigation` knows the position that was gone to. */
  constructor(navigation) {
    this.navigation = navigation;
    /** The latest state from the server. */
    this.state = null;
    /** The texts of the steps chosen so far. */
    this.taken = [];
  }

  /** The turns of the game and the moves of a line that lead to what the board shows. */
  get place() {
    return this.navigation.current ?? { ply: this.state.ply, line: [] };
  }

  /** What the board shows: the present, or the position that was gone to. */
  get here() {
    return this.navigation.current?.view ?? this.state;
  }

  /** Whether the board shows the present position. */
  get isNow() {
    const { current } = this.navigation;
    return !current || (current.ply === this.state.ply && current.line.length === 0);
  }

  /** The person's seat; -1 for someone who only watches. */
  get seat() {
    return this.state.players.findIndex((player) => player.you);
  }

  /** The legal moves there, if the person may play or try one. */
  get tree() {
    if (this.navigation.current) return this.navigation.current.view.steps;
    return this.state.mine ? this.state.steps : null;
  }

  /** The text of the steps chosen so far. */
  get text() {
    return this.taken.join('');
  }

  /** The choices for the next step. */
  get choices() {
    return choices(this.tree, this.taken);
  }

  /** Whether the steps chosen so far are a whole move. */
  get isWhole() {
    return isWhole(this.tree, this.taken);
  }

  /** The cells that can be touched next, with the steps that a touch means. */
  get nextCells() {
    return targets(this.tree, this.taken, lastCell(this.tree, this.taken), this.state.cells);
  }

  /** The cells that a move can begin with, with the steps that a touch means. */
  get firstCells() {
    return targets(this.tree, [], null, this.state.cells);
  }

  /** The pieces that aren't on the board yet and can come in, as choices. */
  get offBoard() {
    return choices(this.tree, []).filter((choice) => choice.drawn);
  }

  /** Whether a move begins with a piece on the board, rather than with an empty cell. */
  get startsWithPieces() {
    return choices(this.tree, []).some((choice) => choice.after);
  }

  /** The cells of the steps chosen so far. */
  get chosen() {
    const cells = [];
    for (let many = 1; many <= this.taken.length; many++) {
      const cell = lastCell(this.tree, this.taken.slice(0, many));
      if (cell !== null) cells.push(cell);
    }
    return cells;
  }
}

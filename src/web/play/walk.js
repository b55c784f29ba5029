// Positions other than the present one: those after earlier turns of the game, and those that moves of one's own or a
// line of the engine lead to. The server makes each position; those that were shown lately are kept.

/** The most positions kept. */
const KEPT = 80;

export class Walk {
  /**
   * `get(query)` requests a position; it resolves to null if there is none. `changed(glides)` is called when another
   * position is there to be shown.
   */
  constructor({ get, changed }) {
    Object.assign(this, { get, changed, positions: new Map() });
    /** The position that is shown, as { ply, line, territory, view }; null at the present. */
    this.at = null;
    /** The position that is wanted, which may still be on its way. */
    this.wanted = null;
    /** Whether moves are tried: then positions come with their legal moves. */
    this.tries = false;
    this.territory = false;
  }

  /** Forgets all positions, because the game has taken another way. */
  reset() {
    this.positions.clear();
    this.leave();
  }

  /** Back to the present. */
  leave() {
    this.wanted = null;
    if (!this.at) return;
    this.at = null;
    this.changed(true);
  }

  /** Leads to the position after `ply` turns of the game and the moves of a line. */
  async go(ply, line = []) {
    const wanted = { ply, line, territory: this.territory, tries: this.tries };
    this.wanted = wanted;
    const view = await this.position(wanted);
    if (this.wanted !== wanted) return;
    if (!view) {
      this.wanted = this.at;
      return this.changed(false);
    }
    this.at = { ...wanted, view };
    this.changed(true);
  }

  /** Shows the same position again, with or without its territory or legal moves. */
  again() {
    const here = this.wanted;
    return here ? this.go(here.ply, here.line) : null;
  }

  /** Adds a move to the line. */
  push(text) {
    return this.go(this.at.ply, [...this.at.line, text]);
  }

  /** Requests a position, unless it is here. */
  position({ ply, line, territory, tries }) {
    const query = new URLSearchParams({ ply, line: line.join(','), tries, territory }).toString();
    let found = this.positions.get(query);
    if (!found) {
      found = this.get(query).then((view) => {
        if (!view) this.positions.delete(query);
        return view;
      });
      this.positions.set(query, found);
      if (this.positions.size > KEPT) this.positions.delete(this.positions.keys().next().value);
    }
    return found;
  }
}

// Positions other than the present one: those after earlier turns of the game, and those that moves of one's own or a
// line of the engine lead to. The server makes each position; those that were shown lately are kept.

/** The most positions kept. */
const MAX_POSITIONS = 80;

export class Navigation {
  /**
   * `get(query)` requests a position; it resolves to null if there is none. `changed(glides)` is called when another
   * position is there to be shown.
   */
  constructor({ get, changed }) {
    Object.assign(this, { get, changed, positions: new Map() });
    /** The position that is shown, as { ply, line, territory, view }; null at the present. */
    this.current = null;
    /** The position that was asked for, which may still be on its way. */
    this.requested = null;
    /** Whether moves are tried: then positions come with their legal moves. */
    this.tries = false;
    this.territory = false;
  }

  /** Forgets all positions, because the game has taken another way. */
  reset() {
    this.positions.clear();
    this.toPresent();
  }

  /** Back to the present. */
  toPresent() {
    this.requested = null;
    if (!this.current) return;
    this.current = null;
    this.changed(true);
  }

  /** Leads to the position after `ply` turns of the game and the moves of a line. */
  async go(ply, line = []) {
    const requested = { ply, line, territory: this.territory, tries: this.tries };
    this.requested = requested;
    const view = await this.position(requested);
    if (this.requested !== requested) return;
    if (!view) {
      this.requested = this.current;
      return this.changed(false);
    }
    this.current = { ...requested, view };
    this.changed(true);
  }

  /** Shows the same position again, with or without its territory or legal moves. */
  reload() {
    const here = this.requested;
    return here ? this.go(here.ply, here.line) : null;
  }

  /** Adds a move to the line. */
  push(text) {
    return this.go(this.current.ply, [...this.current.line, text]);
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
      if (this.positions.size > MAX_POSITIONS) this.positions.delete(this.positions.keys().next().value);
    }
    return found;
  }
}

// The boards after the steps of a half-made move, as the server draws them.

import { asked } from './request.js';

const MOST = 60;

export class Drawings {
  /** `arrived` is called with the query of a board that was fetched. */
  constructor({ table, arrived }) {
    Object.assign(this, { table, arrived });
    this.known = new Map();
  }

  get(query) {
    return this.known.get(query);
  }

  clear() {
    this.known.clear();
  }

  async fetch(query) {
    const answer = await asked(`/play/${this.table}/after?${query}`);
    // Otherwise the marks show what was chosen, and the drawing comes with the move.
    if (!answer?.ok) return;
    const { board } = await answer.json();
    if (this.known.size >= MOST) this.clear();
    this.known.set(query, board);
    this.arrived(query);
  }
}

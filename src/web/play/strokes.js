// Drags of a piece that was chosen to be put: over the board, where it is put on all cells that are passed, and from the list
// of pieces to a cell.

import { drag } from './drag.js';

/** How far apart the places are at which a stroke looks for cells: a fast pointer jumps. */
const STEP_PX = 6;

export class Strokes {
  /**
   * `tool()` is the chosen tool, or null if pieces are moved; `passed(cells)` is called with the cells of a stroke so far, and
   * `put(cells)` with those of one that has ended.
   */
  constructor(board, { tool, passed, put }) {
    // A chosen tool leaves touches to the editor's own `touched`.
    Object.assign(this, { board, tool, passed, put, isOn: false });
    board.setPointerTool(this);
  }

  /** Begins a stroke on the board, if the pointer moves on; returns whether pieces are put. */
  grab(event, from) {
    const tool = this.tool();
    this.board.justDragged = false;
    if (!tool) return false;
    if (from !== null && event.isPrimary && event.button === 0) this.follow(event, [from], tool);
    return true;
  }

  /** Nothing is begun that Escape could end. */
  escape() {
    return false;
  }

  /** Begins to drag a piece from the list; `piece` is its element. */
  fetch(event, piece) {
    if (!event.isPrimary || event.button !== 0) return;
    const ghost = piece.querySelector('i').cloneNode(true);
    ghost.classList.add('ghost');
    this.follow(event, [], piece.querySelector('input'), ghost);
  }

  follow(event, cells, tool, ghost = null) {
    const { board } = this;
    let last = { clientX: event.clientX, clientY: event.clientY };
    const add = (at) => {
      // What is dragged from the list lands on one cell, and so does a piece that is only one.
      if (ghost || tool.dataset.single !== undefined) cells = at < 0 ? [] : [at];
      else if (at >= 0 && !cells.includes(at)) cells.push(at);
    };
    const begins = () => {
      board.justDragged = true;
      if (!ghost) return;
      tool.checked = true;
      document.body.append(ghost);
    };
    const moves = (now) => {
      const before = cells.join();
      const [dx, dy] = [now.clientX - last.clientX, now.clientY - last.clientY];
      const steps = Math.ceil(Math.hypot(dx, dy) / STEP_PX);
      for (let step = 1; step <= steps; step++) {
        add(board.cellAt(last.clientX + (dx * step) / steps, last.clientY + (dy * step) / steps));
      }
      last = now;
      if (ghost) ghost.style.transform = `translate(${now.clientX}px, ${now.clientY}px)`;
      if (cells.join() !== before) this.passed(cells);
    };
    const ends = (now) => {
      ghost?.remove();
      board.endDrag();
      this.passed([]);
      if (now.type === 'pointerup' && cells.length > 0) this.put(cells);
    };
    drag(event, { begins, moves, ends });
  }
}

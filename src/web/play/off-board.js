// Pieces that aren't on the board yet. Each is a button where the drawing shows it beside the board: it is touched, dragged to
// the board, or pressed by a key.

import { el } from './board.js';
import { isCommand } from './dom.js';

export class OffBoard {
  /** `picked(text)` is called for a touch, a click or a key, and when a drag begins; `text` is the piece's step. */
  constructor(board, { label, picked }) {
    Object.assign(this, { board, label, picked, pieces: [], buttons: new Map() });
  }

  /** Shows the pieces, each as { text, from, drawn, isChosen, hasLeft, isHinted, label }, after the cells were marked. */
  show(pieces) {
    const { board } = this;
    const areas = JSON.stringify(pieces.map(({ text, drawn }) => [text, drawn.area]));
    this.pieces = pieces;
    if (areas !== this.areas || this.overlay !== board.overlay) this.lay(areas);
    for (const piece of pieces) {
      const button = this.buttons.get(piece.text);
      button.setAttribute('aria-label', piece.label);
      button.setAttribute('aria-pressed', piece.isChosen);
      if (!piece.hasLeft) board.marks.append(ring(piece.drawn, piece.isChosen ? 'edge-chosen' : 'edge-able'));
      if (piece.isHinted) board.marks.append(ring(piece.drawn, 'hint-edge'), ring(piece.drawn, 'hint'));
    }
  }

  /** Makes the buttons anew. */
  lay(areas) {
    Object.assign(this, { areas, overlay: this.board.overlay });
    this.group?.remove();
    this.buttons.clear();
    if (this.pieces.length === 0) return;
    this.group = el('g', { role: 'group', 'aria-label': this.label });
    for (const { text, drawn } of this.pieces) {
      const button = el('rect', { ...drawn.area, role: 'button', tabindex: '0', class: 'off-board', 'data-piece': text });
      button.addEventListener('click', () => this.board.justDragged || this.pick(text, false));
      button.addEventListener('keydown', (event) => this.key(event, text));
      button.addEventListener('pointerdown', (event) => this.grab(event, text));
      this.buttons.set(text, button);
      this.group.append(button);
    }
    this.overlay.insertBefore(this.group, this.board.marks);
  }

  find(text) {
    return this.pieces.find((piece) => piece.text === text);
  }

  /** Picks a piece. The keys go on at the cell where it comes in. */
  pick(text, byKey) {
    this.picked(text);
    const piece = this.find(text);
    if (piece?.isChosen && piece.from !== null) this.board.rove(piece.from, byKey);
  }

  key(event, text) {
    if (isCommand(event) || !['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.pick(text, true);
  }

  grab(event, text) {
    const { from, drawn } = this.find(text);
    const begins = () => this.find(text)?.isChosen || this.picked(text);
    this.board.justDragged = false;
    if (event.button === 0 && from !== null) this.board.carry(event, from, drawn, begins);
  }
}

const ring = ({ x, y, radius }, name) => el('circle', { cx: x, cy: y, r: radius, class: `ring ${name}` });

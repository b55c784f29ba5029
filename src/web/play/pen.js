// Arrows and marks over the board: how they are drawn (as the server does in `drawn.rs`), and how a person draws them.

import { el } from './board.js';

/** How far the pointer moves until it drags. */
const DRAG_PX = 8;
const [LEFT, RIGHT] = [0, 2];

/** An arrow as the data of an SVG path. */
function arrowPath(from, to, radius) {
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (along, aside) =>
    `${(from.x + (x * along - y * aside) * radius).toFixed(1)} ${(from.y + (y * along + x * aside) * radius).toFixed(1)}`;
  const [tip, neck] = [length / radius - 0.1, length / radius - 0.75];
  const points = [[0.25, -0.1], [neck, -0.1], [neck, -0.36], [tip, 0], [neck, 0.36], [neck, 0.1], [0.25, 0.1]];
  return `M${points.map(([along, aside]) => at(along, aside)).join('L')}Z`;
}

export class Pen {
  /**
   * `toggle(from, to)` adds or removes an arrow, or a mark if both are one cell; `chosen(cell)` tells of its first cell, or
   * null; `leave()` ends the mode.
   */
  constructor(board, { toggle, chosen, leave }) {
    Object.assign(this, { board, toggle, chosen, leave, isOn: false, from: null, shown: { arrows: [], marks: [] } });
    this.layer = el('g', { id: 'drawn', role: 'img' });
    board.setPointerTool(this);
  }

  switch(isOn) {
    this.isOn = isOn;
    document.body.classList.toggle('drawing', isOn);
    this.choose(null);
  }

  /** Shows the arrows and marks of a position, which are `label` in words. */
  show({ arrows, marks }, colours, label) {
    this.shown = { arrows, marks };
    this.colours = colours;
    this.layer.setAttribute('aria-label', label);
    this.layer.setAttribute('aria-hidden', String(label === ''));
    this.draw();
  }

  draw(preview = null) {
    const { board, layer } = this;
    if (!board.overlay || !this.colours) return;
    if (layer.parentNode !== board.overlay) board.overlay.append(layer);
    const cell = (name) => board.cells.find((one) => one.name === name);
    const parts = [];
    const { fill, edge } = this.colours;
    const r = board.radius;
    const ring = (name, more = {}) => {
      const at = cell(name);
      if (!at) return;
      for (const [stroke, width] of [[edge, 0.22], [fill, 0.12]]) {
        parts.push(el('circle', { cx: at.x, cy: at.y, r: r * 0.56, fill: 'none', stroke, 'stroke-width': r * width, ...more }));
      }
    };
    const arrow = (name, more = {}) => {
      const [from, to] = name.split('-').map(cell);
      if (!from || !to) return;
      parts.push(el('path', { d: arrowPath(from, to, r), fill, stroke: edge, 'stroke-width': r * 0.06, 'stroke-linejoin': 'round', ...more }));
    };
    this.shown.marks.forEach((name) => ring(name));
    this.shown.arrows.forEach((name) => arrow(name));
    if (this.from !== null && !preview) ring(board.cells[this.from].name, { 'stroke-dasharray': r * 0.3 });
    if (preview) arrow(preview, { class: 'preview' });
    layer.replaceChildren(...parts);
  }

  choose(at) {
    this.from = at;
    this.chosen(at === null ? null : this.board.cells[at].name);
    this.draw();
  }

  /** A cell is touched, clicked, or chosen by a key: it is the first one, or the second. */
  touch(at) {
    if (this.from === null) return this.choose(at);
    const from = this.from;
    this.choose(null);
    this.finish(from, at);
  }

  finish(from, to) {
    this.toggle(this.board.cells[from].name, this.board.cells[to].name);
  }

  /** Takes the first cell back, or leaves the mode; returns whether there was something to do. */
  escape() {
    if (!this.isOn) return false;
    if (this.from !== null) this.choose(null);
    else this.leave();
    return true;
  }

  /**
   * Begins to draw: with the right button of a mouse at any time, in the mode with the left one or a finger. Returns whether
   * it does. In the mode a finger doesn't scroll the page (annotations.css).
   */
  grab(event, from) {
    const isRight = event.button === RIGHT && event.pointerType === 'mouse';
    const draws = isRight || (event.button === LEFT && this.isOn);
    const { board } = this;
    board.justDragged = false;
    // A second finger zooms.
    if (from === null || !event.isPrimary || !draws) return this.isOn;
    const start = { x: event.clientX, y: event.clientY };
    let to = from;
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      if (to === from && Math.hypot(now.clientX - start.x, now.clientY - start.y) < DRAG_PX) return;
      to = board.cellAt(now.clientX, now.clientY);
      const names = [from, to].map((at) => board.cells[at]?.name);
      this.draw(to >= 0 && to !== from ? names.join('-') : null);
    };
    const end = (now) => {
      if (now.pointerId !== event.pointerId) return;
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      const isMark = to === from && isRight;
      const isArrow = to >= 0 && to !== from;
      // The click that ends a drag is none. A click on one cell chooses it.
      if (to !== from) {
        board.justDragged = true;
        board.endDrag();
      }
      if (isArrow) this.choose(null);
      if (now.type === 'pointerup' && (isMark || isArrow)) this.finish(from, to);
      else this.draw();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    return true;
  }
}

// The drawing of the board with its cells over it: what can be touched, dragged and reached by keys.

import { isCommand } from './dom.js';
import { drag } from './drag.js';

const SVG = 'http://www.w3.org/2000/svg';
const GLIDE_MS = 320;
/** How much of a cell its outline encloses: pieces reach nearly to the edge. */
const INSET = 0.94;
/** How far from the middle of every cell, in its radius, the name of a cell is. What is nearer belongs to a piece. */
const NAME_AWAY = 0.75;
/** The width of a letter, the height above and below the middle, and the room around a name, in its font size. */
const NAME = { letter: 0.62, half: 0.5, room: 0.2, middle: 0.3636 };

export const el = (name, attributes = {}) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Board {
  /** `touched(cell)` is called for a touch, a click or Enter; `dropped(from, to)` after a drag. */
  constructor(frame, { touched, dropped, back }) {
    Object.assign(this, { frame, touched, dropped, back });
    this.drawing = frame.querySelector('#board');
    this.cells = [];
    this.focused = 0;
    this.selectable = new Set();
    this.nextCells = new Set();
    this.pointerTool = null;
    // Not on the overlay: Chromium makes an SVG that listens for the focus a stop of the Tab key.
    frame.addEventListener('focusin', (event) => {
      const at = event.target.closest('[data-cell]')?.dataset.cell;
      if (at !== undefined) this.rove(Number(at), false);
    });
  }

  /**
   * Gives the pointer to a tool that draws or puts pieces: `grab(event, cell)` begins and says whether the board leaves the
   * pointer to it; while `isOn`, it gets each chosen cell (`touch(cell)`), and `escape()` takes a step back or says false.
   */
  setPointerTool(tool) {
    this.pointerTool = tool;
  }

  /** Lays the cells over the drawing, once for a board. */
  lay(cells, corners) {
    // Some states round the places of cells, and others don't.
    const isNear = (a, b) => Math.abs(a.x - b.x) < 0.01 && Math.abs(a.y - b.y) < 0.01;
    const same = this.cells.length === cells.length && this.cells.every((cell, at) => isNear(cell, cells[at]));
    this.cells = cells;
    this.corners = corners;
    if (same && this.overlay) return;
    const hasFocus = Boolean(this.overlay?.contains(document.activeElement));
    this.overlay?.remove();
    const box = this.drawing.querySelector('svg').getAttribute('viewBox');
    this.overlay = el('svg', { viewBox: box, id: 'cells' });
    const [x, y, width, height] = box.split(' ');
    this.mask = el('mask', { id: 'name-mask', maskUnits: 'userSpaceOnUse', x, y, width, height });
    this.marks = el('g', { 'aria-hidden': 'true', mask: 'url(#name-mask)' });
    const grid = el('g', { role: 'grid', 'aria-label': document.querySelector('h1').textContent });
    this.shapes = new Array(cells.length);
    const rows = [...new Set(cells.map((cell) => cell.row))].sort((a, b) => b - a);
    for (const row of rows) {
      const group = el('g', { role: 'row' });
      cells.forEach((cell, at) => {
        if (cell.row !== row) return;
        const points = corners.map(([x, y]) => `${cell.x + x},${cell.y + y}`).join(' ');
        const shape = el('polygon', { points, role: 'gridcell', tabindex: '-1', 'data-cell': at, 'data-name': cell.name });
        this.shapes[at] = shape;
        group.append(shape);
      });
      grid.append(group);
    }
    this.radius = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
    this.overlay.append(this.mask, grid, this.marks);
    this.frame.append(this.overlay);
    this.maskNames();
    this.listen();
    this.rove(Math.min(this.focused, cells.length - 1), hasFocus);
  }

  /** Shows a drawing. Pieces that moved since the last one glide, unless the person wants no motion. */
  draw(svg, glides, marks = []) {
    // A piece in the hand stays there; the drawing waits.
    if (this.dragging) {
      this.waiting = svg;
      return;
    }
    if (this.inHand) glides = false;
    this.inHand = false;
    const before = this.uses();
    this.drawing.innerHTML = svg;
    if (this.overlay) this.maskNames();
    if (!glides || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const after = this.uses();
    const still = new Set(marks.map((id) => `#${id}`));
    const key = (use) => `${use.name} ${use.x} ${use.y}`;
    const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
    const gone = before.filter((use) => !now.has(key(use)) && !still.has(use.name));
    const came = after.filter((use) => !old.has(key(use)) && !still.has(use.name));
    const moved = [];
    for (const use of came) {
      const at = gone.findIndex((left) => left.name === use.name);
      if (at >= 0) moved.push([use, gone.splice(at, 1)[0]]);
    }
    if (moved.length === 0 || moved.length > 3) return;
    for (const [use, from] of moved) {
      use.element.animate(
        [{ transform: `translate(${from.x - use.x}px, ${from.y - use.y}px)` }, { transform: 'none' }],
        { duration: GLIDE_MS, easing: 'cubic-bezier(.3,.1,.2,1)' },
      );
      // A gliding piece passes over the others.
      use.element.parentNode.append(use.element);
    }
  }

  uses() {
    return [...this.drawing.querySelectorAll('use')].map((element) => ({
      element,
      name: element.getAttribute('href'),
      x: Number(element.getAttribute('x')),
      y: Number(element.getAttribute('y')),
    }));
  }

  /**
   * Cuts the names of cells out of the marks: some are at the edges of cells, where the frames are. It takes long, and
   * depends only on the drawing and the places of the cells.
   */
  maskNames() {
    const isAway = ({ x, y }) => this.cells.every((cell) => Math.hypot(cell.x - x, cell.y - y) > this.radius * NAME_AWAY);
    const hole = ({ x, y, size, length }) => {
      const [across, down] = [(length * NAME.letter) / 2 + NAME.room, NAME.half + NAME.room].map((share) => share * size);
      return el('rect', { x: x - across, y: y - down, width: across * 2, height: down * 2, rx: down / 2, fill: '#000' });
    };
    const shown = el('rect', { width: '100%', height: '100%', fill: '#fff' });
    this.mask.replaceChildren(shown, ...this.texts().filter(isAway).map(hole));
  }

  /** Returns the texts of the drawing: their middles, sizes and numbers of letters. */
  texts() {
    const number = (element, name) => Number(element.getAttribute(name) ?? 0);
    const text = (element, x, y) => {
      const size = number(element, 'font-size');
      const middle = { x: x + number(element, 'x'), y: y + number(element, 'y') - size * NAME.middle };
      return { ...middle, size, length: element.textContent.length };
    };
    const own = [...this.drawing.querySelectorAll('svg > text')].map((element) => text(element, 0, 0));
    const used = this.uses().flatMap(({ name, x, y }) => {
      const art = this.drawing.querySelector(`[id="${CSS.escape(name.slice(1))}"]`);
      return [...(art?.querySelectorAll('text') ?? [])].map((element) => text(element, x, y));
    });
    return [...own, ...used];
  }

  /**
   * Marks the cells that a move can begin with (`selectable`), those that were chosen, where a chosen piece can go (`destinations`),
   * and a move that is `hinted`. `nextCells` are those that can be chosen now.
   */
  mark({ selectable, chosen, destinations, nextCells, hinted = [], label }) {
    this.selectable = selectable;
    this.nextCells = nextCells;
    this.marks.replaceChildren();
    this.shapes.forEach((shape, at) => {
      const isDestination = destinations.has(at);
      shape.classList.toggle('able', selectable.has(at) && !isDestination);
      shape.classList.toggle('goal', isDestination);
      shape.classList.toggle('chosen', chosen.has(at));
      shape.classList.toggle('hinted', hinted.includes(at));
      shape.setAttribute('aria-label', label(at));
      shape.setAttribute('aria-selected', chosen.has(at));
      const { x, y, bare } = this.cells[at];
      if (isDestination && bare) this.marks.append(this.dot(x, y));
      else if (isDestination) this.marks.append(this.edge(at, 'edge'));
      else if (chosen.has(at)) this.marks.append(this.edge(at, 'edge-chosen'));
      else if (selectable.has(at)) this.marks.append(this.edge(at, 'edge-able'));
    });
    this.markHint(hinted);
  }

  /** Marks the cells of a suggested move, and a line through them, in two tones that stand out on every board. */
  markHint(cells) {
    const points = cells.map((at) => `${this.cells[at].x},${this.cells[at].y}`).join(' ');
    for (const tone of ['hint-edge', 'hint']) {
      const line = cells.length > 1 ? [el('polyline', { points, class: tone })] : [];
      this.marks.append(...line, ...[...new Set(cells)].map((at) => this.edge(at, tone)));
    }
  }

  /** Returns the mark of an empty cell to go to. The points of a net are dots themselves, so there it is larger and in colour. */
  dot(cx, cy) {
    const isPoint = this.corners.length === 6;
    return el('circle', { cx, cy, r: this.radius * (isPoint ? 0.28 : 0.2), class: isPoint ? 'dot point' : 'dot' });
  }

  /** Returns the outline of a cell, a little within it, so that what is on it stays as it is. */
  edge(at, name) {
    const { x, y } = this.cells[at];
    const points = this.corners.map(([dx, dy]) => `${x + dx * INSET},${y + dy * INSET}`).join(' ');
    return el('polygon', { points, class: name });
  }

  /** Shakes a cell that can't be chosen. */
  refuse(at) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const shape = this.shapes[at];
    shape.classList.remove('refused');
    shape.getBoundingClientRect();
    shape.classList.add('refused');
  }

  /** Scrolls the page so that the board is in view, unless it is; and the player below it with the clock, if there is room. */
  reveal() {
    this.frame.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    this.frame.scrollIntoView({ block: 'nearest' });
  }

  focus() {
    this.rove(this.focused, true);
  }

  rove(at, moves) {
    this.shapes[this.focused]?.setAttribute('tabindex', '-1');
    this.focused = at;
    this.shapes[at]?.setAttribute('tabindex', '0');
    if (moves) this.shapes[at]?.focus();
  }

  listen() {
    const cellOf = (target) => {
      const at = target?.closest?.('[data-cell]')?.dataset.cell;
      return at === undefined ? null : Number(at);
    };
    this.overlay.addEventListener('click', (event) => {
      const at = cellOf(event.target);
      if (at === null || this.justDragged) return;
      this.rove(at, false);
      this.choose(at);
    });
    this.overlay.addEventListener('pointerdown', (event) => this.pointerTool?.grab(event, cellOf(event.target)) || this.grab(event, cellOf(event.target)));
    this.overlay.addEventListener('contextmenu', (event) => this.pointerTool && event.preventDefault());
    this.overlay.addEventListener('keydown', (event) => this.key(event));
    this.cellAt = (x, y) => cellOf(document.elementFromPoint(x, y)) ?? -1;
  }

  choose(at) {
    return this.pointerTool?.isOn ? this.pointerTool.touch(at) : this.touched(at);
  }

  /** Begins a drag if the pointer moves on. */
  grab(event, from) {
    this.justDragged = false;
    if (from === null || event.button !== 0 || !this.selectable.has(from)) return;
    this.carry(event, from, this.cells[from], () => this.dropped(from, null));
  }

  /** Lets the piece at a place of the drawing follow the pointer if that moves on; it is dropped as a piece of the cell `from`. */
  carry(event, from, place, picked) {
    let ghost = null;
    const begins = () => {
      this.justDragged = true;
      this.dragging = true;
      picked();
      // The ball on a crossing is in the middle of no cell.
      ghost = this.topmost(place) ?? this.topmost(this.placeOf(event));
      ghost?.parentNode.append(ghost);
      ghost?.classList.add('dragged');
    };
    const moves = (now, dx, dy) => {
      const scale = this.overlay.viewBox.baseVal.width / this.overlay.getBoundingClientRect().width;
      if (ghost) ghost.style.transform = `translate(${dx * scale}px, ${dy * scale}px)`;
    };
    const ends = (now) => {
      this.dragging = false;
      const waiting = this.waiting;
      this.waiting = null;
      // Where it is dropped it stays, until the drawing of the step is there.
      this.inHand = now.type === 'pointerup' && this.dropped(from, this.cellAt(now.clientX, now.clientY));
      if (!this.inHand && ghost) {
        ghost.style.transform = '';
        ghost.classList.remove('dragged');
      }
      if (!this.inHand && waiting) this.draw(waiting, false);
      this.endDrag();
    };
    drag(event, { begins, moves, ends });
  }

  /** The click that ends a drag is none. */
  endDrag() {
    setTimeout(() => (this.justDragged = false));
  }

  /** Returns the place of the drawing at a pointer. */
  placeOf({ clientX, clientY }) {
    const { left, top, width } = this.overlay.getBoundingClientRect();
    const box = this.overlay.viewBox.baseVal;
    const scale = box.width / width;
    return { x: box.x + (clientX - left) * scale, y: box.y + (clientY - top) * scale };
  }

  /** Returns the drawing's last piece at a place. */
  topmost({ x, y }) {
    const near = this.uses().filter((use) => Math.hypot(use.x - x, use.y - y) < this.radius * 0.6);
    return near.at(-1)?.element ?? null;
  }

  key(event) {
    if (isCommand(event)) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const letter = /^[a-l]$/.test(event.key);
    if (step) this.rove(this.beside(...step), true);
    else if (event.key === 'Home' || event.key === 'End') this.rove(this.end(event.key === 'End'), true);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.focused);
    else if (event.key === 'Escape') this.back();
    else if (letter) this.column(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Returns the next cell in a direction: the nearest, and among those rather one straight ahead. On hexagons, a cell of the next row
   * is nearer than the one straight ahead in the row after it.
   */
  beside(dx, dy) {
    const from = this.cells[this.focused];
    let best = { at: this.focused, cost: Infinity };
    this.cells.forEach((cell, at) => {
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy + y * dx)];
      const cost = ahead + aside * 1.5;
      if (ahead > 1 && aside <= ahead * 1.8 && cost < best.cost) best = { at, cost };
    });
    return best.at;
  }

  end(last) {
    const row = this.cells[this.focused].row;
    const same = this.cells.map((cell, at) => ({ ...cell, at })).filter((cell) => cell.row === row);
    return same.reduce((a, b) => ((last ? b.x > a.x : b.x < a.x) ? b : a)).at;
  }

  /** Moves to the next cell of a column: only among those that can be chosen, if there are any. */
  column(letter) {
    const same = this.cells.map((cell, at) => at).filter((at) => this.cells[at].name.startsWith(letter));
    const able = same.filter((at) => this.nextCells.has(at));
    const list = able.length > 0 ? able : same;
    if (list.length === 0) return;
    this.rove(list[(list.indexOf(this.focused) + 1) % list.length], true);
  }
}

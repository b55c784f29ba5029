// The tree of legal moves: which steps can come next, and which cells they are on.
//
// The server sends an object of steps by their text. A value is the step itself if it is the last one, or else a pair of
// the step and the steps after it. A step is the index of its cell, or { label, cell, heading, turns }; a piece that isn't on the board
// yet is { label, from, drawn }, with the cell at which it comes in, and where it is drawn beside the board.

/** Returns the steps after those taken so far, each as { text, label, cell, heading, turns, from, drawn, after }. */
export function choices(tree, taken) {
  let steps = tree ?? {};
  for (const text of taken) steps = steps[text]?.[1] ?? {};
  return Object.entries(steps).map(([text, value]) => {
    const [step, after] = Array.isArray(value) ? value : [value, null];
    const bare = text.replace(/^[-/>]+/, '') || text;
    return typeof step === 'number'
      ? { text, label: bare, cell: step, heading: null, turns: false, after }
      : { text, label: bare, ...step, after };
  });
}

/** Whether a choice is a cell. */
export const hasCell = (choice) => (choice.cell ?? null) !== null;

/** Whether a choice is a direction. */
export const hasHeading = (choice) => (choice.heading ?? null) !== null;

/** Whether a choice is no cell, and others come after it. */
const leadsOn = (choice) => !hasCell(choice) && choice.after;

/** Whether the steps are a whole move. */
export function isWhole(tree, taken) {
  return taken.length > 0 && choices(tree, taken).length === 0;
}

/**
 * Returns the cells that can be touched next: by index, the steps that a touch can mean, usually one sequence. A choice
 * that is no cell is looked through: a touch of a cell after it means both steps. But of several pieces that aren't on the
 * board yet, one is chosen first: the cell at which they come in can mean each of them. A single one is touched there, too. A direction is also
 * touched on its nearest cell.
 */
export function targets(tree, taken, origin, cells) {
  const found = new Map();
  const next = choices(tree, taken);
  for (const choice of next) {
    if (hasCell(choice) && !choice.turns) found.set(choice.cell, [[choice.text]]);
  }
  for (const choice of next.filter(hasHeading)) {
    const cell = origin === null ? null : towards(cells, origin, choice.heading);
    if (cell !== null && !found.has(cell)) found.set(cell, [[choice.text]]);
  }
  const looked = new Map();
  const through = next.filter(leadsOn);
  if (taken.length === 0 && through.length > 1) {
    const onBoard = new Set(found.keys());
    for (const { text, from } of through) {
      if ((from ?? null) !== null && !onBoard.has(from)) found.set(from, [...(found.get(from) ?? []), [text]]);
    }
    return found;
  }
  for (const choice of through) {
    const from = choice.from ?? null;
    if (from !== null && !found.has(from)) found.set(from, [[choice.text]]);
    for (const later of choices(tree, [...taken, choice.text])) {
      if (!hasCell(later)) continue;
      looked.set(later.cell, [...(looked.get(later.cell) ?? []), [choice.text, later.text]]);
    }
  }
  for (const [cell, meanings] of looked) if (!found.has(cell)) found.set(cell, meanings);
  return found;
}

/** Whether a piece that isn't on the board yet can come in at a cell, or go on from there to it. */
export function canComeInOn(tree, cell) {
  const reaches = (choice) => choice.from === cell || choices(tree, [choice.text]).some((later) => later.cell === cell);
  return choices(tree, []).filter(leadsOn).some(reaches);
}

/** Returns the choices that need a button: those without a cell of their own. */
export function buttons(tree, taken) {
  return choices(tree, taken).filter((choice) => !hasCell(choice) || choice.turns);
}

/**
 * Returns the kind of the step after those taken: `piece` (one of several that aren't on the board yet), `goal`, `shot` (of an arrow or a
 * spear), `direction` or `spin`; null after the last step, and before the first one if it may be on the board.
 */
export function nextKind(tree, taken) {
  const next = choices(tree, taken);
  if (next.length === 0) return null;
  const areAway = next.length > 1 && next.every(leadsOn);
  if (taken.length === 0) return areAway ? 'piece' : null;
  if (next.some((choice) => choice.turns)) return 'spin';
  if (next.some(hasHeading)) return 'direction';
  return next.every((choice) => choice.text.startsWith('/')) ? 'shot' : 'goal';
}

/** Returns the label of the piece with which the steps taken began, if it wasn't on the board; null without one. */
export function entering(tree, taken) {
  const first = choices(tree, []).find((choice) => choice.text === taken[0]);
  return first === undefined || hasCell(first) ? null : first.label;
}

/** Adds steps that are no choice: the only one, if it is no cell. */
export function withForced(tree, taken) {
  const steps = [...taken];
  for (;;) {
    const next = choices(tree, steps);
    if (steps.length === 0 || next.length !== 1 || hasCell(next[0])) return steps;
    steps.push(next[0].text);
  }
}

/** Returns the last cell among the steps taken, or null. A piece that comes in is on the cell where it does until it leaves it. */
export function lastCell(tree, taken) {
  for (let many = taken.length; many > 0; many--) {
    const step = choices(tree, taken.slice(0, many - 1)).find((choice) => choice.text === taken[many - 1]);
    const at = step?.cell ?? step?.from ?? null;
    if (at !== null) return at;
  }
  return null;
}

/** Returns the steps of a whole move; null if there is no such move. */
export function stepsOf(tree, text, taken = []) {
  if (text === '' && isWhole(tree, taken)) return taken;
  for (const choice of choices(tree, taken)) {
    if (!text.startsWith(choice.text)) continue;
    const steps = stepsOf(tree, text.slice(choice.text.length), [...taken, choice.text]);
    if (steps) return steps;
  }
  return null;
}

/** Returns the cells of a move's steps, in their order. A direction is on its nearest cell. */
export function cellsOf(tree, steps, cells) {
  const cellOf = (text, at) => {
    const before = steps.slice(0, at);
    const step = choices(tree, before).find((choice) => choice.text === text);
    if (!step || step.turns) return null;
    const origin = lastCell(tree, before);
    return step.cell ?? step.from ?? (origin === null || !hasHeading(step) ? null : towards(cells, origin, step.heading));
  };
  return steps.map(cellOf).filter((cell) => cell !== null);
}

/** Returns the nearest cell from another one in a direction, in eighths clockwise from up; null at the edge. */
function towards(cells, origin, heading) {
  const from = cells[origin];
  let best = null;
  cells.forEach((cell, index) => {
    const [dx, dy] = [cell.x - from.x, cell.y - from.y];
    const distance = Math.hypot(dx, dy);
    if (distance < 1) return;
    const eighths = (Math.atan2(dx, -dy) / Math.PI) * 4;
    const off = Math.abs(((eighths - heading + 12) % 8) - 4);
    if (off < 0.15 && (best === null || distance < best.distance)) best = { index, distance };
  });
  return best?.index ?? null;
}

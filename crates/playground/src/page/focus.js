// Where the focus goes when a message is rendered anew, or when an answer comes.

const CONTROLS = 'button, a[href], [tabindex]';
const IN_COMPONENTS = '.components button, .components a[href]';

const labelOf = (control) => control.getAttribute('aria-label') ?? control.textContent;
const isDanger = (control) => control.classList.contains('danger');
const componentsOf = (node) => [...node.querySelectorAll(IN_COMPONENTS)];
const componentsIn = (row) => [...row.querySelectorAll('button, a[href]')];

/** Whether an element is completely within the scrolled part that is visible. */
export function inView(element, scroller) {
  const box = element.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  // Of an element taller than the window, its beginning counts.
  return box.top >= frame.top - 1 && Math.min(box.bottom, box.top + frame.height) <= frame.bottom + 1;
}

/**
 * Stores which control of a message has the focus. The result focuses the same one in the next rendering, or the nearest
 * if that is disabled; after a step to other buttons, the first that is not dangerous. It returns what got the focus if
 * that is another control than before.
 */
export function focusPath(node) {
  const active = document.activeElement;
  if (!node.contains(active)) return null;
  if (active === node && !node.matches('.loading')) return (next) => void focus(next);
  if (!active.closest('.components')) {
    const at = [...node.querySelectorAll(CONTROLS)].indexOf(active);
    return (next) => void focus([...next.querySelectorAll(CONTROLS)][at] ?? next);
  }
  const all = componentsOf(node);
  const before = { id: active.dataset.customId, label: labelOf(active), labels: all.map(labelOf), ...placeOf(active) };
  return (next) => {
    const controls = componentsOf(next);
    const same = sameControl(controls, before);
    if (!same) return focus(firstSafe(controls) ?? next);
    const placed = focus(same.disabled ? (nearest(controls, same) ?? next) : same);
    return placed.dataset.customId === before.id || labelOf(placed) === before.label ? null : placed;
  };
}

/** Focuses an element without scrolling to it, and returns it. */
function focus(element) {
  element.focus({ preventScroll: true });
  return element;
}

/** The place of a control: its row, and its column there. */
function placeOf(control) {
  const row = control.closest('.row');
  const rows = [...control.closest('.components').querySelectorAll('.row')];
  return { row: rows.indexOf(row), column: row ? componentsIn(row).indexOf(control) : 0 };
}

/** Finds a control again: by its id, by its label, or by its place among buttons that are mostly the same. */
function sameControl(controls, { id, label, labels, row, column }) {
  const byId = id ? controls.find((one) => one.dataset.customId === id) : null;
  if (byId) return byId;
  // "Resign" and the "Resign" that confirms it are two buttons.
  const safe = (one) => (one && !isDanger(one) ? one : null);
  const byLabel = controls.find((one) => labelOf(one) === label);
  if (byLabel) return safe(byLabel);
  const shared = controls.filter((one) => labels.includes(labelOf(one))).length;
  if (shared * 2 < Math.max(labels.length, controls.length)) return null;
  const there = controls.filter((one) => placeOf(one).row === row);
  return safe(there[Math.min(column, there.length - 1)]);
}

function nearest(controls, control) {
  const at = controls.indexOf(control);
  const distance = (one) => Math.abs(controls.indexOf(one) - at);
  const free = controls.filter((one) => !one.disabled && !isDanger(one));
  return free.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/**
 * Returns the control that an arrow key leads to from a button of a message: the next one in its row, or the one above
 * or below; null at the ends and for other keys.
 */
export function controlAt(control, key) {
  const rows = [...control.closest('.components').querySelectorAll('.row')].map(componentsIn);
  const { row, column } = placeOf(control);
  const free = (one) => (one && !one.disabled ? one : null);
  if (key === 'ArrowRight') return free(rows.flat()[rows.flat().indexOf(control) + 1]);
  if (key === 'ArrowLeft') return free(rows.flat()[rows.flat().indexOf(control) - 1]);
  const other = { ArrowDown: rows[row + 1], ArrowUp: rows[row - 1] }[key];
  return other ? free(other[Math.min(column, other.length - 1)]) : null;
}

const firstSafe = (controls) => controls.find((one) => !one.disabled && !isDanger(one)) ?? null;

/**
 * Focuses the first button of an answer that is visible and not dangerous, so that Enter pressed twice by mistake does no
 * harm; else the answer itself. Returns what has the focus now.
 */
export function focusAnswer(node, scroller) {
  const first = firstSafe(componentsOf(node));
  return focus(first && inView(first, scroller) ? first : node);
}

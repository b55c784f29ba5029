// Builds DOM nodes without HTML strings: no text of a person or bot is ever parsed as HTML.

/**
 * Makes an element. Keys starting with `on` are listeners, `class`/`data-…`/`aria-…` are attributes,
 * `value`, `checked` and `hidden` are properties; null, undefined and false leave a key out.
 */
export function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) setProp(node, key, value);
  return append(node, children);
}

const PROPERTIES = new Set(['value', 'checked', 'hidden', 'disabled', 'indeterminate']);

function setProp(node, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
  else if (PROPERTIES.has(key)) node[key] = value;
  else node.setAttribute(key, value === true ? '' : value);
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** Replaces the children of `node`. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** Returns the element with this id; index.html contains the shell, so a missing element is a bug. */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no #${id}`);
  return node;
}

let counter = 0;
/** Returns an id that no other element of this page has. */
export function uid(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** Lets arrow keys, Home and End move the focus among the elements that match `selector` inside `container`. */
export function arrowKeys(container, selector) {
  container.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const items = [...container.querySelectorAll(selector)].filter((item) => item.offsetParent !== null);
    const from = items.indexOf(document.activeElement);
    if (from < 0) return;
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[Math.min(Math.max(to, 0), items.length - 1)].focus();
  });
}

/** Opens a context menu on right click, the menu key, Shift+F10, and a long press in browsers without that event. */
export function onContextMenu(node, open) {
  let timer = 0;
  const cancel = () => clearTimeout(timer);
  node.addEventListener('contextmenu', (event) => {
    if (event.target.closest('a[href], textarea, input')) return;
    cancel();
    event.preventDefault();
    event.stopPropagation();
    open(event.clientX, event.clientY, event.target);
  });
  node.addEventListener(
    'touchstart',
    (event) => {
      const { clientX, clientY } = event.touches[0];
      timer = setTimeout(() => open(clientX, clientY, event.target), 600);
    },
    { passive: true },
  );
  for (const end of ['touchend', 'touchmove', 'touchcancel']) node.addEventListener(end, cancel, { passive: true });
}

/** Shows a short note at the bottom of the window, which screen readers announce. */
export function toast(text, kind = 'info') {
  const note = h('div', { class: `toast ${kind}`, 'data-testid': 'toast' }, text);
  byId('toasts').append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Copies a text and shows a note about it. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    toast(`Your browser won't let this page copy. Here's the text: ${text}`);
  }
}

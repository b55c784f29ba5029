// Floating elements: menus and lists at an anchor, and dialogs in the middle.
import { h, uid, fill, byId } from './dom.js';
import { icon } from './icons.js';

let current = null;

/** Closes the open popup, if any. */
function closePopup() {
  current?.();
}

/**
 * Shows `content` by an anchor element or at a point { x, y }; Esc, a press outside or a new popup closes it.
 * Returns the closing function. `restore` names what gets the focus back.
 */
export function openPopup(
  content,
  { anchor = null, point = null, onClose = null, restore = document.activeElement, label = null } = {},
) {
  closePopup();
  const node = h('div', { class: 'popup', popover: 'manual', 'aria-label': label }, content);
  // A modal dialog makes everything outside of it inert, so a popup of a dialog must be inside it.
  (anchor?.closest('dialog') ?? byId('layers')).append(node);
  node.showPopover();
  place(node, point ?? anchor.getBoundingClientRect());
  const stop = new AbortController();
  const close = () => {
    if (current !== close) return;
    current = null;
    stop.abort();
    const focusInside = node.contains(document.activeElement);
    node.remove();
    if (focusInside) giveBack(restore);
    onClose?.();
  };
  listenForClosing(node, anchor, close, stop.signal);
  current = close;
  return close;
}

/** Focuses an element again; the buttons of a message are hidden by now, so then the message. */
function giveBack(element) {
  element?.focus?.({ preventScroll: true });
  if (document.activeElement !== element) element?.closest?.('.message')?.focus({ preventScroll: true });
}

function listenForClosing(node, anchor, close, signal) {
  const outside = (event) => {
    if (!node.contains(event.target) && !anchor?.contains(event.target)) close();
  };
  const key = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  document.addEventListener('pointerdown', outside, { signal, capture: true });
  document.addEventListener('keydown', key, { signal, capture: true });
  window.addEventListener('resize', close, { signal });
}

const EDGE = 8;

/** Places it below the anchor if there is space, else above, within the window. Overridden on a phone. */
function place(node, at) {
  const size = node.getBoundingClientRect();
  const left = at.left ?? at.x;
  const below = (at.bottom ?? at.y) + (at.bottom === undefined ? 0 : 4);
  const above = (at.top ?? at.y) - size.height - (at.top === undefined ? 0 : 4);
  const top = below + size.height + EDGE <= innerHeight ? below : above;
  node.style.setProperty('--x', `${Math.max(EDGE, Math.min(left, innerWidth - size.width - EDGE))}px`);
  node.style.setProperty('--y', `${Math.max(EDGE, Math.min(top, innerHeight - size.height - EDGE))}px`);
}

/**
 * Opens a modal dialog; the browser's own <dialog> keeps the focus inside and Esc closes it.
 * Returns { node, body, foot, close }.
 */
export function openDialog({ title, testid = 'dialog', className = '', onClose = null }) {
  const heading = uid('dialog-title');
  const body = h('div', { class: 'dialog-body' });
  const foot = h('div', { class: 'dialog-foot' });
  const close = () => node.close();
  const node = h(
    'dialog',
    { class: `dialog ${className}`, 'data-testid': testid, 'aria-labelledby': heading },
    h(
      'div',
      { class: 'dialog-head' },
      h('h2', { id: heading }, title),
      h('button', { class: 'icon-button', type: 'button', 'aria-label': 'Close', onclick: close }, icon('close')),
    ),
    body,
    foot,
  );
  node.addEventListener('close', () => {
    node.remove();
    wakeCaret();
    onClose?.();
  });
  node.addEventListener('pointerdown', (event) => {
    if (event.target === node) close();
  });
  closePopup();
  byId('layers').append(node);
  node.showModal();
  return { node, body, foot, close };
}

/** A text box that regains the focus from a closed <dialog> has no caret in Chromium until it is focused again. */
function wakeCaret() {
  const active = document.activeElement;
  if (!active?.matches('textarea, input')) return;
  active.blur();
  active.focus({ preventScroll: true });
}

/** Asks for confirmation of an irreversible action. Resolves to the choice. */
export function confirmDialog(title, content, action) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog({ title, testid: 'confirm', onClose: () => resolve(answer) });
    const choose = (value) => () => {
      answer = value;
      dialog.close();
    };
    fill(dialog.body, content);
    const yes = h(
      'button',
      { class: 'button danger', type: 'button', 'data-testid': 'confirm-yes', onclick: choose(true) },
      action,
    );
    fill(
      dialog.foot,
      h('button', { class: 'button secondary', type: 'button', onclick: choose(false) }, 'Cancel'),
      yes,
    );
    yes.focus();
  });
}

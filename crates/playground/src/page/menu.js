// Context menus. An item is { label, icon, detail, danger, testid, run } or a string, which is a heading.
import { h, arrowKeys } from './dom.js';
import { icon } from './icons.js';
import { openPopup } from './popup.js';

/** Opens a menu at a point or at an anchor, with the focus on its first item. */
export function openMenu(items, { point = null, anchor = null, header = null, label = 'Menu' } = {}) {
  const list = h('div', { class: 'menu', role: 'menu', 'aria-label': label, 'data-testid': 'menu' });
  const restore = document.activeElement;
  const entries = items
    .filter(Boolean)
    .map((item) => (typeof item === 'string' ? heading(item) : entry(item, () => close())));
  list.append(...entries);
  arrowKeys(list, '[role=menuitem]');
  list.addEventListener('keydown', (event) => typeAhead(event, list));
  const close = openPopup([header, list].filter(Boolean), { point, anchor, restore });
  list.querySelector('[role=menuitem]')?.focus({ preventScroll: true });
  return close;
}

const heading = (text) => h('div', { class: 'menu-heading', role: 'presentation' }, text);

function entry(item, close) {
  const run = () => {
    close();
    item.run();
  };
  const props = {
    class: `menu-item${item.danger ? ' danger' : ''}`,
    role: 'menuitem',
    type: 'button',
    tabindex: '-1',
  };
  return h(
    'button',
    { ...props, 'data-testid': item.testid ?? 'menu-item', onclick: run },
    item.icon ? icon(item.icon, 18) : null,
    h('span', { class: 'menu-label' }, item.label),
    item.detail ? h('span', { class: 'menu-detail' }, item.detail) : null,
  );
}

/** A letter moves to the next item that begins with it; Tab closes the menu. */
function typeAhead(event, list) {
  if (event.key === 'Tab') {
    event.preventDefault();
    return;
  }
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey) return;
  const items = [...list.querySelectorAll('[role=menuitem]')];
  const from = items.indexOf(document.activeElement);
  const next = [...items.slice(from + 1), ...items.slice(0, from + 1)];
  next.find((item) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
}

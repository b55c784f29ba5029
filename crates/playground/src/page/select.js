// A list to choose from under a button: for select components in messages and in modals.
import { h, fill, uid } from './dom.js';
import { icon } from './icons.js';
import { containing, nearest } from './matching.js';
import { openPopup } from './popup.js';

/**
 * `options()` gives [{ value, label, description, emoji, default }]; `onChoose(values)` runs when the choice is final:
 * at once when a single one is asked for, on closing the list otherwise.
 * Returns { node, values() }.
 */
export function createSelect({
  placeholder,
  options,
  min = 1,
  max = 1,
  disabled = false,
  search = false,
  onChoose = null,
  data = {},
  label = null,
}) {
  let chosen = options()
    .filter((option) => option.default)
    .map((option) => option.value);
  const shown = h('span', { class: 'select-value' });
  const node = h(
    'button',
    {
      class: 'select',
      type: 'button',
      disabled,
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      'data-testid': 'select',
      ...data,
      onclick: open,
    },
    shown,
    icon('down', 18),
  );

  function paint() {
    const picked = options().filter((option) => chosen.includes(option.value));
    node.setAttribute(
      'aria-label',
      [label ?? placeholder, picked.map((option) => option.label).join(', ')].filter(Boolean).join(': '),
    );
    fill(
      shown,
      picked.length === 0
        ? h('span', { class: 'placeholder' }, placeholder)
        : picked.map((option) => optionChip(option, max > 1)),
    );
  }

  function open() {
    const before = chosen.join(' ');
    node.setAttribute('aria-expanded', 'true');
    const onClose = () => {
      node.setAttribute('aria-expanded', 'false');
      const enough = chosen.length >= min;
      if (max > 1 && chosen.join(' ') !== before && enough) onChoose?.(chosen);
    };
    const list = listBox({
      options,
      search,
      max,
      label: label ?? placeholder,
      has: (value) => chosen.includes(value),
      toggle,
    });
    const close = openPopup(list.nodes, { anchor: node, onClose, restore: node });
    list.focus();

    function toggle(value) {
      if (max === 1) {
        chosen = chosen[0] === value && min === 0 ? [] : [value];
        paint();
        close();
        onChoose?.(chosen);
        return;
      }
      if (chosen.includes(value)) chosen = chosen.filter((other) => other !== value);
      else if (chosen.length < max) chosen = [...chosen, value];
      paint();
    }
  }

  paint();
  return { node, values: () => chosen };
}

const optionChip = (option, many) =>
  h('span', { class: many ? 'chip' : null }, option.emoji ? `${option.emoji} ` : null, option.label);

function listBox({ options, search, max, label, has, toggle }) {
  // It scrolls, so Tab reaches it as well.
  const list = h('div', {
    class: 'listbox',
    role: 'listbox',
    tabindex: '0',
    'aria-label': label,
    'aria-multiselectable': max > 1 ? 'true' : null,
  });
  const input = search
    ? h('input', {
        class: 'search',
        type: 'text',
        placeholder: 'Search',
        'aria-label': `Search ${label}`,
        'aria-controls': (list.id = uid('listbox')),
      })
    : null;
  const focusable = [input, list].filter(Boolean);
  const hint = max > 1 ? h('div', { class: 'select-hint' }, `Choose up to ${max}; close the list to send.`) : null;
  let active = 0;
  let visible = [];

  function paint() {
    const wanted = (input?.value ?? '').trim();
    const namesOf = (option) => [option.label];
    visible = wanted ? containing(options(), wanted, namesOf) : options();
    if (visible.length === 0) visible = nearest(options(), wanted, namesOf);
    active = Math.min(active, Math.max(visible.length - 1, 0));
    fill(list, visible.length === 0 ? h('div', { class: 'select-hint' }, 'Nobody by that name.') : visible.map(row));
    mark();
  }

  function row(option, index) {
    return h(
      'div',
      {
        class: 'option',
        role: 'option',
        id: uid('option'),
        'aria-selected': String(has(option.value)),
        'data-testid': 'select-option',
        'data-value': option.value,
        onclick: () => choose(index),
        onpointermove: () => {
          active = index;
          mark();
        },
      },
      max > 1 ? h('span', { class: 'box' }, has(option.value) ? icon('check', 14) : null) : null,
      option.icon?.() ?? (option.emoji ? h('span', { class: 'option-emoji' }, option.emoji) : null),
      h(
        'span',
        { class: 'option-text' },
        h('span', null, option.label),
        option.description ? h('small', null, option.description) : null,
      ),
      max === 1 && has(option.value) ? icon('check', 16) : null,
    );
  }

  function mark() {
    [...list.children].forEach((child, index) => child.classList.toggle('active', index === active));
    list.children[active]?.scrollIntoView({ block: 'nearest' });
    for (const part of focusable) part.setAttribute('aria-activedescendant', list.children[active]?.id ?? '');
  }

  function choose(index) {
    if (!visible[index]) return;
    toggle(visible[index].value);
    if (max > 1) paint();
  }

  function key(event) {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, ...(input ? {} : { Home: 0, End: visible.length - 1 }) }[
      event.key
    ];
    if (to !== undefined) {
      active = Math.min(Math.max(to, 0), visible.length - 1);
      mark();
    } else if (event.key === 'Enter' || (event.key === ' ' && !input)) choose(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  input?.addEventListener('input', paint);
  for (const part of focusable) part.addEventListener('keydown', key);
  active = Math.max(
    options().findIndex((option) => has(option.value)),
    0,
  );
  paint();
  return { nodes: [input, list, hint].filter(Boolean), focus: () => (input ?? list).focus({ preventScroll: true }) };
}

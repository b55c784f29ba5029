// The list above the composer: commands, people, channels, choices. The focus stays in the text, whose keys
// control it.
import { byId, fill, h, uid } from './dom.js';

export class Suggestions {
  constructor() {
    this.node = byId('suggestions');
    this.input = null;
    this.items = [];
    this.active = -1;
    // Enter must not pick from a list that belongs to an older text.
    this.stale = false;
    this.node.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  get open() {
    return this.input !== null;
  }

  /**
   * Shows items { title, detail, hint, leading, value } for `input`; `empty` is the text without any, and `chosen` is
   * whether Enter takes the first without an arrow key. `onPick(item, byEnter)` runs with the item taken.
   */
  show(input, { items, heading, empty = null, onPick, label = heading, chosen = true }) {
    if (items.length === 0 && !empty) {
      this.hide();
      return;
    }
    if (this.input && this.input !== input) this.hide();
    Object.assign(this, { input, items, onPick, stale: false, active: chosen && items.length > 0 ? 0 : -1 });
    this.rows = items.map((item, index) => this.row(item, index));
    // It scrolls, so it can have the focus; but Tab takes the choice, and the list goes away when the text loses the focus.
    const list = h(
      'div',
      { class: 'suggestion-list', role: 'listbox', tabindex: '0', id: uid('suggestions'), 'aria-label': label },
      this.rows,
    );
    fill(
      this.node,
      h('div', { class: 'suggestion-heading' }, heading),
      items.length > 0 ? list : h('div', { class: 'suggestion-empty', role: 'status' }, empty),
    );
    this.node.hidden = false;
    this.tellExpanded(true);
    if (items.length > 0) input.setAttribute('aria-controls', list.id);
    else input.removeAttribute('aria-controls');
    this.mark();
  }

  row(item, index) {
    return h(
      'div',
      {
        class: 'suggestion',
        role: 'option',
        id: uid('suggestion'),
        'data-testid': 'picker-option',
        'data-value': String(item.value ?? item.title),
        onclick: () => this.pick(index),
        onpointermove: () => {
          if (this.active !== index) {
            this.active = index;
            this.mark(false);
          }
        },
      },
      item.leading ?? null,
      h(
        'span',
        { class: 'suggestion-text' },
        h('span', { class: 'suggestion-title' }, item.title),
        item.detail ? h('span', { class: 'suggestion-detail' }, item.detail) : null,
      ),
      item.hint ? h('span', { class: 'suggestion-hint' }, item.hint) : null,
    );
  }

  mark(scroll = true) {
    this.rows.forEach((row, index) => {
      row.classList.toggle('active', index === this.active);
      row.setAttribute('aria-selected', String(index === this.active));
    });
    const row = this.rows[this.active];
    this.input.setAttribute('aria-activedescendant', row?.id ?? '');
    if (scroll) row?.scrollIntoView({ block: 'nearest' });
  }

  hide() {
    if (!this.input) return;
    for (const name of ['aria-controls', 'aria-activedescendant']) this.input.removeAttribute(name);
    this.tellExpanded(false);
    this.node.hidden = true;
    this.node.replaceChildren();
    this.input = null;
  }

  /** Only a combobox may have the state "expanded"; the message box is a plain text box. */
  tellExpanded(expanded) {
    if (this.input.getAttribute('role') === 'combobox') this.input.setAttribute('aria-expanded', String(expanded));
  }

  pick(index, byEnter = false) {
    const item = this.items[index];
    const { onPick } = this;
    this.hide();
    onPick(item, byEnter);
  }

  /** Handles a key of its text box; returns whether it did. */
  key(event) {
    if (!this.open || event.isComposing) return false;
    const count = this.items.length;
    if (event.key === 'Escape') this.hide();
    else if (count === 0 || event.altKey) return false;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const from = this.active < 0 && event.key === 'ArrowUp' ? 0 : this.active;
      this.active = (from + (event.key === 'ArrowDown' ? 1 : count - 1)) % count;
      this.mark();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !this.stale && this.active >= 0)
      this.pick(this.active, event.key === 'Enter');
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}

// One option of a slash command as a field: the valid input, the suggestions, and the value it sends.
import { h, uid } from './dom.js';
import { containing, keyOf, meant, nearest } from './matching.js';
import { channels, people } from './mentions.js';

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const ROLE = 8;
const MENTIONABLE = 9;
const NUMBER = 10;
export const ATTACHMENT = 11;

const SHOWN = 25;
const NAMED = 8;

/** Returns the element of a field: the option's name, its input, and a button that takes it away if it can be. */
export function fieldNode(option, input, onRemove) {
  const remove = () =>
    h(
      'button',
      { class: 'option-remove', type: 'button', tabindex: '-1', 'aria-label': `Remove ${option.name}`, onclick: onRemove },
      '×',
    );
  return h(
    'div',
    { class: 'option-field', 'data-option': option.name },
    h('label', { for: input.id }, option.name),
    input,
    onRemove ? remove() : null,
  );
}

export class OptionField {
  constructor(app, option, { onInput, onFocus, onKey, onRemove }) {
    this.app = app;
    this.option = option;
    // The choice picked from a list: { text, value }; valid while the text is unchanged.
    this.picked = null;
    const numeric = option.type === INTEGER || option.type === NUMBER;
    this.input = h('input', {
      id: uid('option'),
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      inputmode: numeric ? 'decimal' : null,
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
      'aria-required': String(Boolean(option.required)),
      'aria-describedby': 'slash-hint',
      'data-testid': `option-${option.name}`,
      oninput: () => {
        this.fit();
        onInput(this);
      },
      onfocus: () => onFocus(this),
      onkeydown: (event) => onKey(this, event),
    });
    this.node = fieldNode(option, this.input, onRemove && (() => onRemove(this)));
    this.fit();
  }

  get text() {
    return this.input.value.trim();
  }

  get empty() {
    return this.text === '';
  }

  /** Whether the names of further options may follow the value: in a free text they may belong to it. */
  get mayBeFollowedByOptions() {
    return this.option.type !== STRING || Boolean(this.option.choices?.length || this.option.autocomplete);
  }

  fit() {
    this.input.style.width = `calc(${Math.min(Math.max([...this.input.value].length + 1, 5), 60)}ch + 16px)`;
    this.node.classList.remove('wrong');
  }

  set(text, value) {
    this.input.value = text;
    this.picked = { text, value };
    this.fit();
  }

  /** Returns the suggestions for the present text, or null if the bot must be asked. */
  offers() {
    const {
      option,
      app: { store },
    } = this;
    const typed = this.picked?.text === this.input.value ? '' : this.text.replace(/^[@#]/, '');
    if (option.autocomplete) return null;
    if (option.choices?.length) return matching(option.choices, typed);
    if (option.type === BOOLEAN)
      return matching(
        [
          { name: 'True', value: true },
          { name: 'False', value: false },
        ],
        typed,
      );
    if (option.type === USER) return people(store, typed);
    if (option.type === CHANNEL) return channels(store, typed, option.channel_types);
    if (option.type === ROLE) return roles(store, typed);
    return option.type === MENTIONABLE ? [...people(store, typed), ...roles(store, typed)] : [];
  }

  /** Returns the value to send, or undefined if the text is invalid. */
  value() {
    if (this.picked?.text === this.input.value) return this.picked.value;
    const exact = this.exact();
    if (exact) return exact.value;
    const choices = this.meantChoices();
    if (choices.length === 1) return choices[0].value;
    if (this.option.choices?.length || ![STRING, INTEGER, NUMBER].includes(this.option.type)) return undefined;
    return this.option.type === STRING ? this.text : number(this.text, this.option.type);
  }

  /** Returns the offer whose whole name is typed, or nothing. */
  exact() {
    if (this.picked?.text === this.input.value) return { title: this.picked.text, value: this.picked.value };
    const offered = this.option.autocomplete ? [] : this.offers();
    const wanted = keyOf(this.text.replace(/^[@#]/, ''));
    return offered.find((item) =>
      [item.title, item.hint?.slice(1) ?? '', item.value].some((name) => keyOf(name) === wanted),
    );
  }

  /** Returns whether the text is the whole name or value of a suggestion, but for capitals. In moves, every sign counts. */
  spells(item) {
    return [item.title, item.value].some((name) => String(name).toLowerCase() === this.text.toLowerCase());
  }

  /** Returns the option's own choices that the typed text can mean. */
  meantChoices() {
    const choices = this.option.autocomplete || this.empty ? [] : (this.option.choices ?? []);
    return meant(choices, this.text, namesOf);
  }

  /** Writes out the choice that was typed in part or with a wrong letter. */
  complete() {
    if (this.empty || this.picked?.text === this.input.value) return;
    const choices = this.meantChoices();
    if (choices.length === 1) this.set(choices[0].name, choices[0].value);
  }

  /** Returns the error as a sentence, or null. */
  problem() {
    const { option } = this;
    if (this.empty) return option.required ? `${option.name} is required.` : null;
    const value = this.value();
    if (value === undefined) return option.choices?.length ? this.whichChoice() : (EXPECTED[option.type] ?? NO_CHOICE);
    if (typeof value === 'number') return outOfRange(value, option.min_value, option.max_value, '');
    return typeof value === 'string' && option.type === STRING
      ? outOfRange([...value].length, option.min_length, option.max_length, ' characters')
      : null;
  }

  /** Names the choices that fit the text, or all if none does. */
  whichChoice() {
    const meantNow = this.meantChoices();
    const near = meantNow.length > 0 ? meantNow : nearest(this.option.choices, this.text, namesOf);
    const named = near.length > 0 ? near : this.option.choices;
    const names = named.slice(0, NAMED).map((choice) => choice.name);
    if (named.length > NAMED) names.push('…');
    if (meantNow.length > 0) return `Which one? ${names.join(', ')}`;
    return near.length > 0
      ? `There's no “${this.text}” here. Did you mean ${names.join(' or ')}?`
      : `There's no “${this.text}” here. Choose one: ${names.join(', ')}`;
  }

  /** Returns the option for an interaction; a focused one sends its raw text. */
  data(focused = false) {
    const { name, type } = this.option;
    return focused ? { name, type, value: this.text, focused: true } : { name, type, value: this.value() };
  }
}

const NO_CHOICE = 'Choose one from the list.';
const EXPECTED = {
  [INTEGER]: 'Enter a whole number.',
  [NUMBER]: 'Enter a number.',
  [USER]: 'Nobody here has that name.',
  [CHANNEL]: 'No such channel.',
};

const namesOf = (choice) => [choice.name, String(choice.value)];

/** Returns the choices that contain the text, or else the nearest. */
function matching(choices, typed) {
  const fit = containing(choices, typed, namesOf);
  return (fit.length > 0 ? fit : nearest(choices, typed, namesOf))
    .slice(0, SHOWN)
    .map((choice) => ({ title: choice.name, value: choice.value }));
}

function roles(store, typed) {
  const list = store.guilds.get(store.current?.guild_id)?.roles ?? [];
  return containing(list, typed, (role) => [role.name])
    .slice(0, SHOWN)
    .map((role) => ({ title: role.name, value: role.id }));
}

function number(text, type) {
  const pattern = type === INTEGER ? /^[+-]?\d{1,15}$/ : /^[+-]?\d*\.?\d+$/;
  return pattern.test(text) ? Number(text) : undefined;
}

function outOfRange(size, least, most, unit) {
  if (least !== undefined && least !== null && size < least) return `At least ${least}${unit}, please.`;
  return most !== undefined && most !== null && size > most ? `At most ${most}${unit}, please.` : null;
}

// A chosen slash command in the composer: its options as fields, with the bot's suggestions while one is
// typed.
import { commandData, namedOptions } from './commands.js';
import { byId, fill, h } from './dom.js';
import { ATTACHMENT, OptionField } from './fields.js';
import { FileField } from './file-field.js';

const DEBOUNCE_MS = 180;

export class SlashForm {
  constructor(app, command, suggestions, { typed, onClose, onUnsent }) {
    Object.assign(this, { app, command, suggestions, onClose, onUnsent, typed });
    this.hint = byId('slash-hint');
    this.fields = [];
    this.asked = 0;
    this.timer = 0;
    this.isWaiting = false;
    this.fieldBox = h('div', { class: 'slash-fields' });
    this.more = h('div', { class: 'slash-more' });
    this.node = h(
      'div',
      {
        class: 'slash-form',
        role: 'group',
        'aria-label': command.title,
        'data-testid': 'slash-form',
        onkeydown: (event) => this.onKey(event),
      },
      h(
        'span',
        { class: 'command-chip', 'data-testid': 'command-chip' },
        command.title,
        h('button', { class: 'command-leave', type: 'button', 'aria-label': `Leave ${command.title}`, onclick: onClose }, '×'),
      ),
      this.fieldBox,
      (this.rest = this.restInput()),
      this.more,
    );
    for (const option of command.options.filter((one) => one.required)) this.add(option);
  }

  /** Starts: the text after the command's name goes into the options that it names, or else into the first field. */
  start() {
    const named = this.distribute(this.typed ?? '');
    if (named) {
      this.paintMore();
      named.input.focus();
      return;
    }
    const [option] = this.unused().filter(takesText);
    const first = this.fields.find((field) => takesText(field.option)) ?? (this.typed && option ? this.add(option) : null);
    this.paintMore();
    this.say(null);
    if (first && this.typed) {
      first.input.value = this.typed;
      first.fit();
      const last = this.distribute(this.typed, first);
      if (last) {
        last.input.focus();
        return;
      }
    }
    this.focus();
  }

  /** The text box behind the fields. What is typed there goes into the first option that has no field yet. */
  restInput() {
    return h('input', {
      class: 'slash-rest',
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      enterkeyhint: 'send',
      'aria-label': this.command.title,
      'aria-describedby': 'slash-hint',
      'data-testid': 'slash-rest',
      oninput: (event) => this.onRest(event),
      onfocus: () => this.say(null),
      onkeydown: (event) => this.onRestKey(event),
    });
  }

  onRest(event) {
    if (event.isComposing || this.rest.value.trim() === '') return;
    const text = this.rest.value.trimStart();
    const [option] = this.unused().filter(takesText);
    this.rest.value = '';
    if (!option) {
      this.say(null, this.noMoreText());
      return;
    }
    const field = this.add(option);
    field.input.value = text;
    field.fit();
    field.input.focus();
    this.onField(field);
  }

  onRestKey(event) {
    if (event.key !== 'Backspace' || this.rest.value !== '') return;
    event.preventDefault();
    const last = this.fields.at(-1);
    if (last) last.input.focus();
    else this.onClose();
  }

  /** Says why no more text can be typed. */
  noMoreText() {
    if (this.command.options.length === 0) return 'It has no options. Press Enter to send it.';
    const [file] = this.unused();
    return file ? `Choose a file for ${file.name}.` : 'Every option is there already.';
  }

  /** Puts a text such as "game:amazons size:8x8" into the options that it names; returns the last one's field, or null. */
  distribute(text, from = null) {
    const options = this.command.options.filter(takesText);
    const names = options.map((option) => option.name);
    let named = namedOptions(text, names);
    // As in "amazons size:8x8" in the field for the game.
    if (named.length === 0 && from?.mayBeFollowedByOptions) {
      named = namedOptions(`${from.option.name}:${text}`, names);
      if (named.length === 1) return null;
    }
    if (named.length === 0) return null;
    if (from && !named.some(({ name }) => name === from.option.name)) {
      from.input.value = '';
      if (!from.option.required) this.remove(from);
    }
    const fields = named.map(({ name, value }) => {
      const known = this.fields.find((field) => field.option.name === name);
      const field = known ?? this.add(options.find((option) => option.name === name));
      field.input.value = value;
      field.fit();
      return field;
    });
    return fields.at(-1);
  }

  /** After something was typed in a field, which may be the names of options. */
  onField(field) {
    const named = this.distribute(field.input.value, field);
    named?.input.focus();
    this.refresh(named ?? field);
  }

  unused() {
    const used = new Set(this.fields.map((field) => field.option.name));
    return this.command.options.filter((option) => !used.has(option.name));
  }

  stop() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.hint.hidden = true;
  }

  focus() {
    const target = this.fields.find((field) => field.empty) ?? this.fields[0];
    (target?.input ?? this.rest).focus();
  }

  add(option) {
    const Field = takesText(option) ? OptionField : FileField;
    const field = new Field(this.app, option, {
      onInput: (one) => this.onField(one),
      onFocus: (one) => {
        this.say(one);
        this.refresh(one, 0);
      },
      onKey: (one, event) => this.onFieldKey(one, event),
      onRemove: option.required ? null : (one) => this.remove(one),
    });
    field.input.addEventListener('blur', () => this.suggestions.hide());
    this.fields.push(field);
    this.fieldBox.append(field.node);
    this.paintMore();
    return field;
  }

  /** Puts a file into the first option for files that has none yet, or else into the last one. */
  takeFile(file) {
    const fields = this.fields.filter((field) => field.picksFile);
    const option = this.unused().find((one) => !takesText(one));
    const field = fields.find((one) => one.empty) ?? (option ? this.add(option) : fields.at(-1));
    if (field) field.take(file);
    else this.say(null, `${this.command.title} takes no file.`);
  }

  remove(field) {
    this.fields = this.fields.filter((other) => other !== field);
    field.node.remove();
    this.suggestions.hide();
    this.paintMore();
    this.focus();
  }

  /** Shows the unused optional options as buttons that add their field. */
  paintMore() {
    fill(
      this.more,
      this.unused().map((option) =>
        h(
          'button',
          {
            class: 'option-add',
            type: 'button',
            title: option.description,
            'data-testid': `option-add-${option.name}`,
            onclick: () => this.add(option).input.focus(),
          },
          `+ ${option.name}`,
        ),
      ),
    );
  }

  /** Updates the line above: a description of the field, or its error. */
  say(field, problem = null, isWrong = problem !== null) {
    this.hint.hidden = false;
    this.hint.classList.toggle('wrong', isWrong);
    const about = field
      ? [
          h('strong', null, field.option.name),
          field.option.required ? '' : ' (optional)',
          ' · ',
          problem ?? field.option.description,
        ]
      : [h('strong', null, this.command.title), ' · ', problem ?? `${this.command.description} · ${howToSend()}`];
    fill(this.hint, about);
    field?.node.classList.toggle('wrong', isWrong);
  }

  // ---- Suggestions

  refresh(field, wait = DEBOUNCE_MS) {
    clearTimeout(this.timer);
    if (field.picksFile) {
      this.suggestions.hide();
      this.say(field, field.problem());
      return;
    }
    this.say(field);
    const items = field.offers();
    if (items) {
      this.offer(field, items);
      return;
    }
    this.suggestions.stale = true;
    if (!this.suggestions.open)
      this.suggestions.show(field.input, {
        items: [],
        heading: field.option.name,
        empty: `Asking ${this.app.botName()}…`,
      });
    this.timer = setTimeout(() => this.ask(field), wait);
  }

  offer(field, items) {
    const { option } = field;
    const onPick = (item, byEnter) => {
      const isWrittenOut = option.autocomplete && field.spells(item);
      this.pick(field, item);
      if (byEnter && isWrittenOut && !this.required()) this.submit();
    };
    if (field.picked?.text === field.input.value && !option.autocomplete) {
      this.suggestions.hide();
      return;
    }
    const listed = option.autocomplete || option.choices?.length || ![3, 4, 10].includes(option.type);
    this.suggestions.show(field.input, {
      items,
      heading: option.name,
      label: option.description,
      empty: listed ? 'Nothing here fits what you typed.' : null,
      onPick,
    });
  }

  async ask(field) {
    this.asked += 1;
    const turn = this.asked;
    const others = this.fields
      .filter((other) => other !== field && !other.empty && other.value() !== undefined)
      .map((other) => other.data());
    const data = commandData(this.command, [...others, field.data(true)]);
    const answer = await this.app.api
      .interact({ type: 4, channel_id: this.app.store.currentId, data })
      .catch(() => ({ choices: [] }));
    if (turn !== this.asked || document.activeElement !== field.input) return;
    this.offer(
      field,
      answer.choices.map((choice) => ({ title: choice.name, value: choice.value })),
    );
  }

  /** Returns the first field that must still be filled in, if any. */
  required() {
    return this.fields.find((field) => field.empty && field.option.required);
  }

  /** Takes a suggestion and moves to the next empty field; a list that narrows step by step stays in the same field. */
  pick(field, item) {
    field.set(item.title, item.value);
    clearTimeout(this.timer);
    this.asked += 1;
    const next = this.required();
    if (next) next.input.focus();
    else {
      this.say(field);
      field.input.focus();
    }
  }

  // ---- Keys

  onFieldKey(field, event) {
    // A name that is written out needs no choice from the list.
    const enter = event.key === 'Enter' && !event.isComposing && !event.shiftKey;
    if (enter && field.option.choices && this.suggestions.active <= 0 && field.exact()) {
      this.suggestions.hide();
      return;
    }
    if (this.suggestions.key(event)) return;
    // Enter opens the list of files, which a browser does by itself only for the space bar.
    if (enter && field.picksFile && field.empty) {
      event.preventDefault();
      field.input.click();
      return;
    }
    if (event.key === 'Backspace' && field.input.value === '') {
      event.preventDefault();
      if (field.option.required) this.onClose();
      else this.remove(field);
    }
  }

  onKey(event) {
    if (event.isComposing || event.defaultPrevented) return;
    const onControl = event.target.closest('button');
    if (event.key === 'Enter' && !onControl) {
      event.preventDefault();
      this.submit();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      this.onClose();
    }
  }

  /** Sends the command, or shows what is missing. A file that is still on its way is waited for. */
  async submit() {
    if (this.isWaiting) return;
    for (const field of this.fields) field.complete();
    const coming = () => this.fields.find((field) => field.uploading);
    // Another file may be chosen while one is waited for.
    for (let field = coming(); field; field = coming()) {
      this.isWaiting = true;
      this.say(field, `Sends once ${field.text} is here.`, false);
      await field.uploading;
    }
    this.isWaiting = false;
    // The command may have been left meanwhile.
    if (!this.node.isConnected) return;
    const wrong = this.fields.find((field) => field.problem() !== null);
    if (wrong) {
      wrong.input.focus();
      clearTimeout(this.timer);
      if (this.suggestions.items.length === 0) this.suggestions.hide();
      this.say(wrong, wrong.problem());
      return;
    }
    const options = this.fields.filter((field) => !field.empty).map((field) => field.data());
    const body = { type: 2, channel_id: this.app.store.currentId, data: commandData(this.command, options) };
    const run = this.app.interactions.run(body, { label: this.command.title, quiet: true });
    run.catch((error) => this.onUnsent(this, error, body.channel_id));
    this.app.feed.scrollToEnd();
    this.onClose();
  }
}

/** Whether an option is typed, and not a file. */
const takesText = (option) => option.type !== ATTACHMENT;

/** Says how to send the command and how to leave it, with keys or by touch. */
const howToSend = () =>
  matchMedia('(pointer: coarse)').matches ? 'Tap the arrow to send it, × to leave.' : 'Enter sends, Esc leaves.';

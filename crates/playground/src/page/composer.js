// The composer: text with mentions, replies, and slash commands.
import { commandWord, filterCommands, isNamed, nearestCommands, slashCommands, typedCommand } from './commands.js';
import { byId, toast } from './dom.js';
import { takeDroppedFiles } from './dropped-files.js';
import { MessageFiles } from './files.js';
import { spokenName } from './header.js';
import { icon } from './icons.js';
import { encodeMentions, mentionAt, mentionItems } from './mentions.js';
import { ReplyBar } from './reply-bar.js';
import { SlashForm } from './slash.js';
import { Suggestions } from './suggestions.js';

const LIMIT = 2000;
const COUNT_FROM = 1800;
const TYPING_EVERY_MS = 7000;
const UNSENT = 'That wasn\'t sent: Rookery can\'t be reached. Press Enter to send it again.';

export class Composer {
  constructor(app) {
    this.app = app;
    this.text = byId('composer');
    this.form = byId('composer-form');
    this.slot = byId('slash-slot');
    this.count = byId('composer-count');
    this.hint = byId('slash-hint');
    this.replyBar = new ReplyBar(app, () => this.text.focus());
    this.files = new MessageFiles(app, () => this.text.focus());
    this.suggestions = new Suggestions();
    this.slash = null;
    this.picked = new Map();
    this.lastTyping = 0;
    // Messages are sent one after another, in the order they were written.
    this.queue = Promise.resolve();
    this.listen();
  }

  listen() {
    this.text.addEventListener('input', () => this.onInput());
    this.text.addEventListener('keydown', (event) => this.onKey(event));
    this.text.addEventListener('click', () => this.suggest());
    this.text.addEventListener('blur', () => this.suggestions.hide());
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    byId('slash-button').addEventListener('click', () => this.startSlash());
    takeDroppedFiles((files) => this.takeFiles(files));
    this.app.store.on('commands', () => {
      if (this.suggestions.open && !this.slash) this.suggest();
    });
  }

  /** Switches to another channel: its own draft, no reply. */
  show(channel) {
    this.replyBar.cancel();
    this.files.clear();
    this.closeSlash();
    this.hint.hidden = true;
    this.text.value = readDraft(this.draftKey());
    this.text.placeholder = `Message ${spokenName(this.app.store, channel)}`;
    this.text.setAttribute('aria-label', this.text.placeholder);
    this.grow();
  }

  draftKey(channelId = this.app.store.currentId) {
    return `rookery.draft.${this.app.store.meId}.${channelId}`;
  }

  focus() {
    if (this.slash) this.slash.focus();
    else this.text.focus();
  }

  /** Says above the text box why it is not sent; until something is typed. */
  refuse(sentence) {
    this.hint.textContent = sentence;
    this.hint.classList.add('wrong');
    this.hint.hidden = false;
  }

  // ---- Typing

  onInput() {
    if (!this.slash) this.hint.hidden = true;
    writeDraft(this.draftKey(), this.text.value);
    this.grow();
    this.suggest();
    if (this.text.value !== '' && !this.text.value.startsWith('/')) this.tellTyping();
  }

  grow() {
    this.text.style.height = 'auto';
    this.text.style.height = `${this.text.scrollHeight}px`;
    const length = [...this.text.value].length;
    this.count.textContent = length > COUNT_FROM ? String(LIMIT - length) : '';
    this.count.classList.toggle('over', length > LIMIT);
  }

  tellTyping() {
    if (Date.now() - this.lastTyping < TYPING_EVERY_MS) return;
    this.lastTyping = Date.now();
    this.app.api.typing(this.app.store.currentId).catch(() => {
      /* A lost "is typing" is harmless. */
    });
  }

  suggest() {
    if (this.text.value.startsWith('/') && !this.text.value.includes('\n')) this.suggestCommands();
    else this.suggestMentions();
  }

  suggestCommands() {
    const all = this.commands();
    const typed = typedCommand(all, this.text.value);
    if (typed) {
      this.openSlash(typed, this.text.value.slice(typed.title.length + 1));
      return;
    }
    const fit = filterCommands(all, this.text.value.slice(1));
    const near = fit.length > 0 ? [] : nearestCommands(all, commandWord(this.text.value) ?? '');
    this.suggestions.show(this.text, {
      items: [...fit, ...near].map(commandItem),
      heading: near.length > 0 ? 'Did you mean' : 'Commands',
      empty: 'No command by that name.',
      // Enter takes a command of this name, but says that a misspelt one, or one only described so, does not exist.
      chosen: fit.length > 0 && isNamed(fit[0], this.text.value.slice(1)),
      onPick: ({ command }, byEnter) => this.pickCommand(command, byEnter),
    });
  }

  commands() {
    const { store } = this.app;
    return slashCommands(store.commands, store.current, store);
  }

  /** Opens the form of a command; one that is written out and needs no more is sent at once. */
  pickCommand(command, byEnter) {
    const whole = this.text.value.trim().toLowerCase() === command.title;
    this.openSlash(command);
    if (byEnter && whole && !command.options.some((option) => option.required)) this.slash.submit();
  }

  /** Takes a text as a command, as Enter in the list does; returns whether it was meant as one. */
  submitCommand(text) {
    const all = this.commands();
    const word = commandWord(text);
    if (all.length === 0 || !word) return false;
    const typed = typedCommand(all, `${text} `);
    if (typed) {
      this.openSlash(typed, text.slice(typed.title.length + 1));
      this.slash.submit();
      return true;
    }
    const [first] = filterCommands(all, text.slice(1)).filter((command) => command.title.startsWith(text.toLowerCase()));
    if (first) this.openSlash(first);
    else this.refuse(unknownCommand(word, nearestCommands(all, word)));
    return true;
  }

  suggestMentions() {
    const found = mentionAt(this.text.value, this.text.selectionStart);
    if (!found) {
      this.suggestions.hide();
      return;
    }
    const onPick = (item) => this.insertMention(found, item);
    this.suggestions.show(this.text, {
      items: mentionItems(this.app.store, found),
      heading: found.sign === '@' ? 'People' : 'Channels',
      onPick,
    });
  }

  insertMention({ sign, start }, item) {
    const name = `${sign}${item.title}`;
    this.picked.set(name, sign === '@' ? `<@${item.value}>` : `<#${item.value}>`);
    this.text.setRangeText(`${name} `, start, this.text.selectionStart, 'end');
    this.onInput();
  }

  /** Inserts a person's name at the cursor. */
  mention(user) {
    if (this.slash) return;
    const name = `@${this.app.store.displayName(user.id)}`;
    this.picked.set(name, `<@${user.id}>`);
    this.text.setRangeText(`${name} `, this.text.selectionStart, this.text.selectionEnd, 'end');
    this.onInput();
    this.text.focus();
  }

  onKey(event) {
    if (this.suggestions.key(event) || event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === 'Escape' && this.replyBar.message) {
      event.stopPropagation();
      this.replyBar.cancel();
    }
  }

  /** Takes files that were dropped or pasted: into the command that is being written, or into the next message. */
  takeFiles(files) {
    if (this.slash) this.slash.takeFile(files[0]);
    else this.files.add(files);
  }

  // ---- Replies

  /** Starts a reply; sending or Esc ends it. */
  reply(message) {
    if (this.slash) this.closeSlash();
    this.replyBar.begin(message);
    this.text.focus();
  }

  // ---- Sending

  submit() {
    if (this.slash) {
      this.slash.submit();
      return;
    }
    const written = this.text.value.trim();
    if (this.files.ids.length === 0 && (written === '' || this.submitCommand(written))) return;
    if ([...written].length > LIMIT) {
      toast(`That's too long: ${[...written].length} characters, and ${LIMIT} is the limit.`, 'danger');
      return;
    }
    const { store } = this.app;
    const message = {
      content: encodeMentions(written, store, this.picked),
      reply_to: this.replyBar.message?.id ?? null,
      ping: this.replyBar.ping,
      files: this.files.ids,
    };
    const channelId = store.currentId;
    const files = this.files.list;
    this.clear();
    store.emit('acts', { channelId });
    this.queue = this.queue.then(() => this.send(channelId, message, { written, files }));
  }

  async send(channelId, message, { written, files }) {
    try {
      const sent = await this.app.api.send(channelId, message);
      if (sent?.id) this.app.hear({ t: 'MESSAGE_CREATE', d: sent });
      if (channelId === this.app.store.currentId) this.app.feed.scrollToEnd();
    } catch (error) {
      this.giveBack(channelId, { written, files });
      const isShown = channelId === this.app.store.currentId && !this.slash;
      if (error.isUnsent && isShown) this.refuse(UNSENT);
      else toast(error.message, 'danger');
    }
  }

  /** Puts a message that wasn't sent before what was written meanwhile. */
  giveBack(channelId, { written, files }) {
    const key = this.draftKey(channelId);
    const isShown = channelId === this.app.store.currentId;
    const text = [written, isShown ? this.text.value : readDraft(key)].filter(Boolean).join('\n');
    writeDraft(key, text);
    if (!isShown) return;
    this.text.value = text;
    if (this.files.ids.length === 0) this.files.show(files);
    this.grow();
  }

  clear() {
    this.text.value = '';
    this.picked.clear();
    this.files.clear();
    this.suggestions.hide();
    this.replyBar.cancel();
    this.lastTyping = 0;
    writeDraft(this.draftKey(), '');
    this.grow();
  }

  // ---- Slash commands

  startSlash() {
    this.closeSlash();
    this.text.value = '/';
    this.text.focus();
    this.onInput();
  }

  openSlash(command, typed = '') {
    this.clear();
    this.slash = new SlashForm(this.app, command, this.suggestions, {
      typed,
      onClose: () => {
        this.closeSlash();
        this.text.focus();
      },
      onUnsent: (form, error, channelId) => this.takeBack(form, error, channelId),
    });
    this.showSlash();
    this.slash.start();
  }

  showSlash() {
    this.slot.replaceChildren(this.slash.node);
    this.form.classList.add('commanding');
  }

  /** Takes back a command that the server didn't get, unless something else is written meanwhile; Enter sends it again. */
  takeBack(form, error, channelId) {
    const isFree = !this.slash && this.text.value === '' && channelId === this.app.store.currentId;
    if (!error.isUnsent || !isFree) {
      toast(error.message, 'danger');
      return;
    }
    this.slash = form;
    this.showSlash();
    form.focus();
    form.say(null, UNSENT);
  }

  closeSlash() {
    if (!this.slash) return;
    this.slash.stop();
    this.slash = null;
    this.suggestions.hide();
    this.slot.replaceChildren();
    this.form.classList.remove('commanding');
  }
}

const commandItem = (command) => ({
  command,
  title: command.title,
  detail: command.description,
  value: command.title,
  leading: icon('slash', 22),
  hint: optionNames(command),
});

function unknownCommand(word, near) {
  const names = near.map((command) => command.title).slice(0, 3);
  const question = names.length > 0 ? ` Did you mean ${names.join(' or ')}?` : ' Type / to see them all.';
  return `There's no command /${word}.${question}`;
}

const optionNames = (command) =>
  command.options.map((option) => (option.required ? option.name : `[${option.name}]`)).join(' ') || null;

function readDraft(key) {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function writeDraft(key, text) {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    /* Without storage only the draft is lost on a reload. */
  }
}

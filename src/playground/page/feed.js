// The running list of messages of one channel: keeps its nodes, its place, and its manners when something changes.
import { messageMenu } from './actions.js';
import { byId, h, toast } from './dom.js';
import { icon } from './icons.js';
import { compareIds } from './history.js';
import { keepPictures } from './media.js';
import { paintInteraction, renderMessage, thinking } from './message.js';
import { avatar, botTag } from './people.js';
import { isDm, isThread } from './store.js';
import { dayLabel, otherDay } from './time.js';

const RUN_MS = 7 * 60_000;
const NEAR_BOTTOM = 60;
const NEAR_TOP = 300;

export class Feed {
  constructor(app) {
    this.app = app;
    this.scroller = byId('feed-scroll');
    this.list = byId('feed');
    this.toBottom = byId('to-bottom');
    this.cards = new Map();
    // Dividers and the like by key: kept while they stay true, so that a screen reader does not hear them again.
    this.parts = new Map();
    this.stick = true;
    this.newAfter = null;
    this.scroller.addEventListener('scroll', () => this.onScroll(), { passive: true });
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.toBottom.addEventListener('click', () => this.scrollToEnd());
    // Whatever grows (a picture, the composer) must not push the last message out of sight.
    const observer = new ResizeObserver(() => { if (this.stick) this.scrollToEnd(); });
    observer.observe(this.list);
    observer.observe(this.scroller);
    app.store.on('messages', (detail) => this.onMessages(detail));
    app.store.on('interactions', () => this.paintInteractions());
  }

  onMessages({ channelId, message }) {
    if (channelId !== this.app.store.currentId) return;
    if (message && !this.stick) this.toBottom.classList.add('fresh');
    this.paint();
  }

  /** Shows another channel, from its end. */
  async show(channel) {
    this.cards.clear();
    this.parts.clear();
    this.list.replaceChildren();
    this.stick = true;
    this.newAfter = this.app.store.marks.isUnread(channel) ? this.app.store.marks.readUpTo(channel.id) : null;
    this.list.setAttribute('aria-busy', 'true');
    const history = this.app.store.history(channel.id);
    history.trim();
    this.paint();
    await this.load(channel.id);
    if (this.app.store.currentId !== channel.id) return;
    this.list.removeAttribute('aria-busy');
    this.scrollToEnd();
    this.app.readCurrent();
  }

  /** Fetches the first page, unless it is here already. */
  async load(channelId) {
    const history = this.app.store.history(channelId);
    if (history.loaded) return;
    history.loading ??= this.fetchPage(channelId).finally(() => { history.loading = null; });
    await history.loading;
  }

  async fetchPage(channelId, before) {
    try {
      const page = await this.app.api.messages(channelId, before);
      const history = this.app.store.history(channelId);
      history.takePage(page, page.length >= 50);
    } catch (error) {
      toast(error.message, 'danger');
    }
    if (channelId === this.app.store.currentId) this.paint();
  }

  async loadOlder() {
    const channelId = this.app.store.currentId;
    const history = this.app.store.history(channelId);
    if (!history.loaded || history.complete || history.loading) return;
    history.loading = this.fetchPage(channelId, history.list[0]?.id).finally(() => { history.loading = null; });
    await history.loading;
  }

  // ---- Painting

  paint() {
    const history = this.app.store.history(this.app.store.currentId);
    this.keepPlace(() => {
      const nodes = [this.top(history)];
      let previous = null;
      for (const message of history.list) {
        nodes.push(...this.dividers(previous, message), this.card(message, isHead(previous, message)));
        previous = message;
      }
      nodes.push(...this.pendingRows(history));
      reconcile(this.list, nodes);
    });
    this.forget(history);
    this.setTabStop();
  }

  part(key, make) {
    if (!this.parts.has(key)) this.parts.set(key, make());
    return this.parts.get(key);
  }

  /** The node of a message: the old one while nothing changed, else a new one that takes over its pictures and focus. */
  card(message, head) {
    const old = this.cards.get(message.id);
    if (old && old.message === message && old.head === head) return old.node;
    const node = renderMessage(this.app, message, head);
    if (old) {
      const focus = focusPath(old.node);
      keepPictures(old.node, node);
      old.node.replaceWith(node);
      focus?.(node);
    }
    this.cards.set(message.id, { message, head, node });
    return node;
  }

  dividers(previous, message) {
    const lines = [];
    if (previous && otherDay(previous.timestamp, message.timestamp)) lines.push(this.part(`day ${message.id}`, () => divider('day', dayLabel(message.timestamp))));
    const fresh = (one) => compareIds(one.id, this.newAfter) > 0 && one.author.id !== this.app.store.meId;
    if (this.newAfter && fresh(message) && !(previous && compareIds(previous.id, this.newAfter) > 0)) lines.push(this.part('new', () => divider('new-line', 'New')));
    return lines;
  }

  top(history) {
    if (!history.loaded) return this.part('loading', () => h('div', { class: 'feed-top loading-messages' }, [1, 2, 3, 4].map(() => h('div', { class: 'skeleton' }))));
    if (history.complete) return this.part('welcome', () => this.welcome(this.app.store.current));
    return this.part('older', () => h('div', { class: 'feed-top' }, h('button', { class: 'button secondary', type: 'button', onclick: () => this.loadOlder() }, 'Load older messages')));
  }

  welcome(channel) {
    if (!channel) return h('div');
    const name = this.app.store.channelName(channel);
    const sign = isDm(channel) ? 'at' : isThread(channel) ? 'thread' : 'hash';
    const words = isDm(channel) ? `This is the beginning of your talk with ${name}.` : `This is the beginning of ${isThread(channel) ? 'the thread' : '#'}${isThread(channel) ? ' ' : ''}${name}.`;
    return h('div', { class: 'feed-top welcome' }, h('div', { class: 'welcome-sign' }, icon(sign, 34)), h('h2', null, isDm(channel) ? name : `${isThread(channel) ? '' : '#'}${name}`), h('p', null, words, channel.topic ? ` ${channel.topic}` : ''));
  }

  /** Commands that have no message yet: on their way, thinking, or failed. */
  pendingRows(history) {
    const answered = (entry) => history.list.some((message) => message.id === entry.answerId || (message.interaction_metadata?.id ?? message.interaction?.id) === entry.id);
    return this.app.interactions.inChannel(this.app.store.currentId).filter((entry) => entry.state === 'failed' || !answered(entry)).map((entry) => this.part(`pending ${entry.state} ${entry.number}`, () => this.pendingRow(entry)));
  }

  pendingRow(entry) {
    const bot = this.app.bot();
    const name = this.app.botName();
    const close = h('button', { class: 'text-button', type: 'button', onclick: () => this.app.interactions.dismiss(entry) }, 'Dismiss');
    const said = {
      sent: () => h('div', { class: 'thinking faint' }, `Sending ${entry.label}…`),
      thinking: () => thinking(name),
      failed: () => h('div', { class: 'failure', role: 'alert', 'data-testid': 'interaction-failed' }, 'This interaction failed', h('small', null, ` ${entry.label} had no answer in time. `), close),
    }[entry.state]();
    return h('div', { class: `message head pending pending-${entry.state}`, 'data-testid': 'pending' }, h('div', { class: 'gutter' }, avatar(bot, 40)),
      h('div', { class: 'body' }, h('div', { class: 'author-line' }, h('span', { class: 'name' }, name), botTag(bot)), said));
  }

  paintInteractions() {
    for (const [id, { node }] of this.cards) paintInteraction(node, this.app.interactions.onMessage(id), this.app);
    this.paint();
  }

  forget(history) {
    const known = new Set(history.list.map((message) => message.id));
    for (const id of this.cards.keys()) if (!known.has(id)) this.cards.delete(id);
    for (const [key, node] of this.parts) if (!node.isConnected) this.parts.delete(key);
  }

  /** Names changed: every card is made anew. */
  repaintAll() {
    for (const card of this.cards.values()) card.message = null;
    this.paint();
  }

  // ---- Scrolling

  /** Runs a change so that the eye stays where it was: at the end, or on the first message in sight. */
  keepPlace(change) {
    if (this.stick) { change(); this.scrollToEnd(); return; }
    const anchor = [...this.cards.values()].find(({ node }) => node.getBoundingClientRect().bottom > this.scroller.getBoundingClientRect().top);
    const id = anchor?.node.dataset.messageId;
    const before = anchor?.node.getBoundingClientRect().top;
    change();
    const after = this.cards.get(id)?.node.getBoundingClientRect().top;
    if (after !== undefined) this.scroller.scrollTop += after - before;
  }

  scrollToEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.stick = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
    this.toBottom.hidden = this.stick;
    if (this.stick) { this.toBottom.classList.remove('fresh'); this.app.readCurrent(); }
    if (scrollTop < NEAR_TOP) this.loadOlder();
  }

  /** Goes to a message and lights it up; one too old to be here is said so. */
  jump(id) {
    const node = this.cards.get(id)?.node;
    if (!node) { toast('That message is further up; load older messages first.'); return; }
    node.scrollIntoView({ block: 'center' });
    node.focus({ preventScroll: true });
    node.classList.add('lit');
    setTimeout(() => node.classList.remove('lit'), 1600);
  }

  // ---- Keyboard

  /** Tab reaches the last message, or the one that was left; the arrow keys go on from there. */
  setTabStop(node = null) {
    const all = this.list.querySelectorAll('.message[data-message-id]');
    const stop = node ?? all[all.length - 1];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  }

  focusMessage(node) {
    this.setTabStop(node);
    node.focus();
  }

  onKey(event) {
    const node = event.target;
    if (!node.matches('.message[data-message-id]') || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...this.list.querySelectorAll('.message[data-message-id]')];
    const at = all.indexOf(node);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) this.focusMessage(all[Math.min(Math.max(to, 0), all.length - 1)]);
    else if (event.key === 'r') this.app.reply(this.cards.get(node.dataset.messageId).message);
    else if (event.key === 'Enter' || event.key === 'm') messageMenu(this.app, this.cards.get(node.dataset.messageId).message, { anchor: node });
    else return;
    event.preventDefault();
  }
}

const divider = (kind, text) => h('div', { class: kind, role: 'separator' }, h('span', null, text));

/** Whether a message opens a run: another author, a pause, a reply, a command's answer, or another day. */
function isHead(previous, message) {
  if (!previous || previous.author.id !== message.author.id) return true;
  if (message.message_reference || message.interaction?.name || (message.flags ?? 0) & 64) return true;
  if (![0, 19, 20].includes(previous.type ?? 0) || otherDay(previous.timestamp, message.timestamp)) return true;
  return new Date(message.timestamp) - new Date(previous.timestamp) > RUN_MS;
}

/** Makes `nodes` the children of `list`, moving none that already stands in order (moving would drop the focus). */
function reconcile(list, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  let place = list.firstChild;
  for (const node of nodes) {
    if (node === place) place = place.nextSibling;
    else list.insertBefore(node, place);
  }
}

/** Remembers what had the focus inside a card, to give it to the same control of the next one. */
function focusPath(node) {
  const active = document.activeElement;
  if (!node.contains(active)) return null;
  if (active === node) return (next) => next.focus({ preventScroll: true });
  const controls = (root) => [...root.querySelectorAll('button, a[href], [tabindex]')];
  const id = active.dataset.customId;
  const at = controls(node).indexOf(active);
  return (next) => {
    const same = id ? next.querySelector(`[data-custom-id="${CSS.escape(id)}"]`) : controls(next)[at];
    (same && !same.disabled ? same : next).focus({ preventScroll: true });
  };
}

// The list of messages of one channel: it keeps nodes, scroll position and focus when something changes.
import { messageMenu } from './actions.js';
import { byId, toast } from './dom.js';
import { controlAt, focusPath } from './focus.js';
import { Follow } from './follow.js';
import { compareIds } from './history.js';
import { keepPictures } from './media.js';
import { paintInteraction, renderMessage } from './message.js';
import { divider, isHead, pendingRow, reconcile, skeletons, topButton, welcome } from './feed-parts.js';
import { LOADING } from './store.js';
import { dayLabel, otherDay } from './time.js';

const PAGE = 50;
const NEAR_BOTTOM = 60;
const NEAR_TOP = 300;
const JUMP_PAGES = 10;

export class Feed {
  constructor(app) {
    this.app = app;
    this.scroller = byId('feed-scroll');
    this.list = byId('feed');
    this.toBottom = byId('to-bottom');
    this.cards = new Map();
    // Dividers by key: reused while unchanged, so that a screen reader does not announce them again.
    this.parts = new Map();
    this.stick = true;
    this.newAfter = null;
    this.scroller.addEventListener('scroll', () => this.onScroll(), { passive: true });
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.toBottom.addEventListener('click', () => this.scrollToEnd());
    this.follow = new Follow(app, this.scroller, this.list);
    // A growing picture or composer must not push the last message out of view.
    const observer = new ResizeObserver(() => this.keepEnd());
    observer.observe(this.list);
    observer.observe(this.scroller);
    app.store.on('messages', (detail) => this.onMessages(detail));
    app.store.on('interactions', () => this.paintInteractions());
  }

  /** Handles a change of a channel's messages: a new `message`, an `edited` one, or others that are not named. */
  onMessages({ channelId, message, edited }) {
    if (channelId !== this.app.store.currentId) return;
    const before = edited && this.cards.get(edited.id)?.message;
    if (message && !this.stick) this.toBottom.classList.add('fresh');
    if (this.stick) this.app.store.history(channelId).trim();
    this.paint();
    if (message) this.follow.arrived(message, this.cards.get(message.id)?.node);
    if (before)
      this.follow.edited(edited, this.cards.get(edited.id)?.node, Boolean((before.flags ?? 0) & LOADING));
  }

  /** Shows another channel, scrolled to its end. */
  async show(channel) {
    this.cards.clear();
    this.parts.clear();
    this.list.replaceChildren();
    this.follow.stop();
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

  /** Fetches the first page, unless it is loaded. */
  async load(channelId) {
    const history = this.app.store.history(channelId);
    if (history.loaded) return;
    history.loading ??= this.fetchPage(channelId).finally(() => {
      history.loading = null;
    });
    await history.loading;
  }

  async fetchPage(channelId, before) {
    const history = this.app.store.history(channelId);
    try {
      const page = await this.app.api.messages(channelId, before);
      history.takePage(page, page.length >= PAGE);
      history.failed = false;
    } catch (error) {
      history.failed = true;
      toast(error.message, 'danger');
    }
    if (channelId === this.app.store.currentId) this.paint();
  }

  async retry() {
    const history = this.app.store.history(this.app.store.currentId);
    await (history.loaded ? this.loadOlder() : this.load(this.app.store.currentId));
  }

  async loadOlder() {
    const channelId = this.app.store.currentId;
    const history = this.app.store.history(channelId);
    if (!history.loaded || history.complete) return;
    history.loading ??= this.fetchPage(channelId, history.list[0]?.id).finally(() => {
      history.loading = null;
    });
    await history.loading;
  }

  // ---- Rendering

  paint() {
    const history = this.app.store.history(this.app.store.currentId);
    const keepFocus = this.focusIfRemoved();
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
    keepFocus();
  }

  /** Returns what moves the focus to the message above if the focused one is removed: else it would be nowhere. */
  focusIfRemoved() {
    const focused = document.activeElement?.closest('.message[data-message-id]');
    const above = focused?.previousElementSibling;
    return () => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return;
      const all = [...this.list.querySelectorAll('.message[data-message-id]')];
      const near = all.includes(above) ? above : all.at(-1);
      if (near) this.focusMessage(near);
      else this.app.composer.focus();
    };
  }

  part(key, make) {
    if (!this.parts.has(key)) this.parts.set(key, make());
    return this.parts.get(key);
  }

  /** Returns a message's node: the old one if unchanged, else a new one that takes over its pictures and focus. */
  card(message, head) {
    const old = this.cards.get(message.id);
    if (old && old.message === message && old.head === head) return old.node;
    const node = renderMessage(this.app, message, head);
    if (old) {
      const focus = focusPath(old.node);
      keepPictures(old.node, node);
      old.node.replaceWith(node);
      this.follow.replaced(old.node, node, focus?.(node));
    }
    this.cards.set(message.id, { message, head, node });
    return node;
  }

  dividers(previous, message) {
    const lines = [];
    if (previous && otherDay(previous.timestamp, message.timestamp))
      lines.push(this.part(`day ${message.id}`, () => divider('day', dayLabel(message.timestamp))));
    const fresh = (one) => compareIds(one.id, this.newAfter) > 0 && one.author.id !== this.app.store.meId;
    if (this.newAfter && fresh(message) && !(previous && compareIds(previous.id, this.newAfter) > 0))
      lines.push(this.part('new', () => divider('new-line', 'New')));
    return lines;
  }

  top(history) {
    if (history.failed)
      return this.part('failed', () => topButton('Try again to load the messages', () => this.retry()));
    if (!history.loaded) return this.part('loading', skeletons);
    if (history.complete) return this.part('welcome', () => welcome(this.app.store, this.app.store.current));
    return this.part('older', () => topButton('Load older messages', () => this.loadOlder()));
  }

  /** Commands without a message yet: sent, thinking, or failed. */
  pendingRows(history) {
    const answered = (entry) =>
      history.list.some((message) => (message.interaction_metadata?.id ?? message.interaction?.id) === entry.id);
    return this.app.interactions
      .inChannel(this.app.store.currentId)
      .filter((entry) => entry.state === 'failed' || !answered(entry))
      .map((entry) => this.part(`pending ${entry.state} ${entry.number}`, () => pendingRow(this.app, entry)));
  }

  paintInteractions() {
    for (const [id, { node }] of this.cards) paintInteraction(node, this.app.interactions.onMessage(id));
    this.paint();
  }

  forget(history) {
    const known = new Set(history.list.map((message) => message.id));
    for (const id of this.cards.keys()) if (!known.has(id)) this.cards.delete(id);
    for (const [key, node] of this.parts) if (!node.isConnected) this.parts.delete(key);
  }

  /** Renders every card again after a change of names. */
  repaintAll() {
    for (const card of this.cards.values()) card.message = null;
    this.paint();
  }

  // ---- Scrolling

  /** Runs a change without moving the visible part: the end, or the first message in view. */
  keepPlace(change) {
    if (this.stick) {
      change();
      this.keepEnd();
      return;
    }
    const anchor = [...this.cards.values()].find(
      ({ node }) => node.getBoundingClientRect().bottom > this.scroller.getBoundingClientRect().top,
    );
    const id = anchor?.node.dataset.messageId;
    const before = anchor?.node.getBoundingClientRect().top;
    change();
    const after = this.cards.get(id)?.node.getBoundingClientRect().top;
    if (after !== undefined) this.scroller.scrollTop += after - before;
  }

  /** Keeps in view what is followed, or the end of the feed. */
  keepEnd() {
    if (this.follow.holds) this.follow.settle();
    else if (this.stick) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  scrollToEnd() {
    this.follow.release();
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.stick = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
    // It would cover the last buttons of an answer that is taller than the window.
    this.toBottom.hidden = this.stick || this.follow.holdsLast;
    if (this.stick) {
      this.toBottom.classList.remove('fresh');
      this.app.readCurrent();
    }
    if (scrollTop < NEAR_TOP) this.loadOlder();
  }

  /** Scrolls to a message and highlights it; older messages are fetched up to a limit. */
  async jump(id) {
    for (let pages = 0; pages < JUMP_PAGES && !this.cards.has(id); pages += 1) await this.loadOlder();
    const node = this.cards.get(id)?.node;
    if (!node) {
      toast("That message isn't here, or it's too far up.");
      return;
    }
    node.scrollIntoView({ block: 'center' });
    node.focus({ preventScroll: true });
    node.classList.add('lit');
    setTimeout(() => node.classList.remove('lit'), 1600);
  }

  // ---- Keyboard

  /** Tab reaches the last message, or the one last focused; arrow keys continue from there. */
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
    // A key that is held down would press the button that takes the place of the one it pressed.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ') && node.matches('.components button')) {
      event.preventDefault();
      return;
    }
    const control = node.matches('.components .row button') ? controlAt(node, event.key) : null;
    if (control) {
      control.focus();
      event.preventDefault();
      return;
    }
    if (!node.matches('.message[data-message-id]') || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...this.list.querySelectorAll('.message[data-message-id]')];
    const at = all.indexOf(node);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) this.focusMessage(all[Math.min(Math.max(to, 0), all.length - 1)]);
    // Letters are no shortcuts: they begin a message.
    else if (event.key === 'Enter')
      messageMenu(this.app, this.cards.get(node.dataset.messageId).message, { anchor: node });
    else return;
    event.preventDefault();
  }
}

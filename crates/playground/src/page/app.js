// Starts the page: determines the person and the channel, connects, and passes events to the parts.
import { personMenu } from './actions.js';
import { Activity } from './activity.js';
import { connect, listUsers, personApi } from './api.js';
import { Composer } from './composer.js';
import { byId, toast } from './dom.js';
import { applyEvent } from './events.js';
import { Feed } from './feed.js';
import { paintTitle, paintTopbar, paintTyping } from './header.js';
import { History } from './history.js';
import { Interactions } from './interactions.js';
import { Members } from './members.js';
import { openModal } from './modal.js';
import { choosePerson } from './people.js';
import { channelInUrl, personInUrl, rememberChannel, rememberPerson } from './route.js';
import { Shell } from './shell.js';
import { Sidebar } from './sidebar.js';
import { Store, nameOf } from './store.js';
import { tick } from './time.js';

class App {
  constructor(meId) {
    this.store = new Store(meId);
    this.api = personApi(meId);
    this.interactions = new Interactions(this.store, this.api);
    this.activity = new Activity(this);
    this.shell = new Shell(this);
    this.feed = new Feed(this);
    this.sidebar = new Sidebar(this);
    this.members = new Members(this);
    this.composer = new Composer(this);
    // Events that arrive while the whole state is being fetched are queued here.
    this.waiting = null;
    this.store.on('unread current', () => paintTitle(this.store));
    this.store.on('typing current', () => paintTyping(this.store));
    this.store.on('channels', () => this.onChannels());
    addEventListener('popstate', () => this.openFromUrl());
    document.addEventListener('visibilitychange', () => this.readCurrent());
    addEventListener('storage', (event) => this.onStorage(event));
    setInterval(() => tick(), 1000);
  }

  // ---- Synchronisation with the server

  run() {
    const retry = connect(this.store.meId, {
      onUp: () => this.sync(),
      onDown: (wait) => this.lost(wait),
      onEvent: (event) => this.hear(event),
    });
    this.shell.onRetry(retry);
  }

  lost(wait) {
    this.store.connected = false;
    this.shell.showLost(wait);
    // A server restarted with an empty database does not know the earlier people: start again as one that it
    // knows.
    listUsers().then(
      (users) => {
        if (!users.some((user) => user.id === this.store.meId)) location.reload();
      },
      () => {
        /* The server is still away. */
      },
    );
  }

  /** Fetches the whole state, at the start and after each reconnection. */
  async sync() {
    this.waiting ??= [];
    try {
      this.store.takeState(await this.api.state());
      this.interactions.forgetAll();
      await this.refreshMessages();
      this.store.connected = true;
      this.shell.showConnected();
    } catch (error) {
      toast(error.message, 'danger');
    }
    const events = this.waiting ?? [];
    this.waiting = null;
    events.forEach((event) => this.hear(event));
    if (!this.started) this.begin();
  }

  begin() {
    this.started = true;
    this.shell.paintMe();
    this.openFromUrl();
    document.body.dataset.ready = 'true';
  }

  /** Replaces the open channel's messages in one step, so that nothing flickers; other channels load when opened. */
  async refreshMessages() {
    const id = this.store.currentId;
    const page = id && this.store.channels.has(id) ? await this.api.messages(id) : null;
    this.store.histories.clear();
    if (!page) return;
    const fresh = new History();
    fresh.takePage(page, page.length >= 50);
    this.store.histories.set(id, fresh);
    this.feed.paint();
  }

  hear(event) {
    if (this.waiting) {
      this.waiting.push(event);
      return;
    }
    if (event.t === 'MODAL_OPEN') {
      if (this.interactions.isMine(event.d.interaction_id)) openModal(this, event.d);
      return;
    }
    if (this.activity.hear(event) || this.interactions.hear(event)) return;
    applyEvent(this.store, event);
  }

  // ---- Navigation

  openFromUrl() {
    const wanted = channelInUrl();
    const channel = this.store.channels.get(wanted) ?? this.store.firstChannel();
    if (channel) this.open(channel.id);
  }

  /** Shows a channel, thread or DM; resolves when its messages are loaded. */
  async open(id) {
    const channel = this.store.channels.get(id);
    if (!channel) {
      toast("That channel doesn't exist any more, or you can't see it.");
      return;
    }
    this.shell.closeDrawers();
    if (id === this.store.currentId) {
      this.composer.focus();
      return;
    }
    this.store.currentId = id;
    rememberChannel(id);
    this.sidebar.show(channel);
    const shown = this.feed.show(channel);
    this.composer.show(channel);
    this.store.emit('current');
    paintTopbar(this, channel);
    if (!this.isTouch()) this.composer.focus();
    await shown;
  }

  /** Follows a link: to a channel, or to a message in it. */
  async follow(channelId, messageId) {
    await this.open(channelId);
    if (messageId && this.store.currentId === channelId) await this.feed.jump(messageId);
  }

  /** Leaves a deleted channel; updates the heading of a renamed one. */
  onChannels() {
    if (!this.store.currentId || !this.started) return;
    if (this.store.current) paintTopbar(this, this.store.current);
    else {
      this.store.currentId = null;
      this.openFromUrl();
    }
  }

  /** Another tab of the same person has marked messages as read. */
  onStorage({ key }) {
    if (key !== this.store.marks.key) return;
    this.store.marks.load();
    this.store.emit('unread');
  }

  reply(message) {
    this.composer.reply(message);
  }

  readCurrent() {
    if (document.visibilityState === 'visible' && this.feed.stick) this.store.markRead(this.store.current);
  }

  isNarrow() {
    return matchMedia('(max-width: 760px)').matches;
  }

  isTouch() {
    return matchMedia('(pointer: coarse)').matches;
  }

  // ---- Names

  bot() {
    const here = this.store.peopleIn(this.store.current).find((user) => user?.bot);
    return (
      here ?? [...this.store.users.values()].find((user) => user.bot) ?? { id: '0', username: 'The bot', bot: true }
    );
  }

  botName() {
    return nameOf(this.bot());
  }

  /** Resolves names for Markdown: first from the message's own mentions, then from the store. */
  names(message = null) {
    const { store } = this;
    const mentioned = new Map((message?.mentions ?? []).map((user) => [user.id, user]));
    return {
      user: (id) =>
        store.users.has(id) ? store.displayName(id) : mentioned.has(id) ? nameOf(mentioned.get(id)) : null,
      channel: (id) => (store.channels.has(id) ? store.channelName(store.channels.get(id)) : null),
      role: (id) => store.guilds.get(store.current?.guild_id)?.roles.find((role) => role.id === id)?.name,
      onUser: (id, event) =>
        personMenu(this, store.users.get(id) ?? mentioned.get(id), { anchor: event.currentTarget }),
      onPlace: (id, message) => this.follow(id, message),
    };
  }
}

/** Returns the tab's person: the one in the address, else the first person of the server. */
async function findMe() {
  const users = await listUsers();
  const wanted = personInUrl();
  const me = users.find((user) => user.id === wanted) ?? users[0];
  if (wanted && me && me.id !== wanted) toast(`Nobody here matches the person in the address, so you're ${nameOf(me)}.`);
  return me ?? null;
}

async function start() {
  try {
    const me = await findMe();
    if (!me) {
      await choosePerson(null);
      return;
    }
    if (personInUrl() !== me.id) rememberPerson(me.id);
    new App(me.id).run();
  } catch (error) {
    // The server may still be starting: try again instead of showing a dead page.
    byId('channel-title').textContent = error.message;
    setTimeout(start, 1500);
  }
}

start();

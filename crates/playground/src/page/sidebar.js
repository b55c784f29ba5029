// The left side: servers, then the channels of one with their threads, or the direct messages.
import { openDm } from './actions.js';
import { arrowKeys, byId, fill, h, onContextMenu, copyText } from './dom.js';
import { nameParts } from './header.js';
import { icon } from './icons.js';
import { openMenu } from './menu.js';
import { avatar, initials } from './people.js';
import { channelUrl } from './route.js';
import { isDm, nameOf } from './store.js';

const DMS = 'dms';
const VOICE = new Set([2, 13]);

export class Sidebar {
  constructor(app) {
    this.app = app;
    this.view = null;
    this.openArchives = new Set();
    this.lastIn = new Map();
    this.rail = byId('rail');
    this.list = byId('channels');
    arrowKeys(this.rail, 'button');
    arrowKeys(this.list, 'a, button');
    app.store.on('channels unread members bot', () => this.paint());
  }

  /** Marks the channel that is open. */
  show(channel) {
    this.view = channel.guild_id ?? DMS;
    this.lastIn.set(this.view, channel.id);
    this.paint();
    this.list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  paint() {
    const focused = document.activeElement?.dataset?.key;
    this.paintRail();
    const { store } = this.app;
    const guild = store.guilds.get(this.view);
    byId('sidebar-title').textContent = guild ? guild.name : 'Direct messages';
    fill(this.list, guild ? this.channelGroups(guild) : this.dmList());
    if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  // ---- Servers

  paintRail() {
    const { store } = this.app;
    const dms = store.dms();
    fill(
      this.rail,
      this.railButton(DMS, 'Direct messages', { symbol: 'chats' }, dms),
      h('hr'),
      [...store.guilds.values()].map((guild) =>
        this.railButton(guild.id, guild.name, { letters: initials(guild.name) }, this.channelsIn(guild.id)),
      ),
    );
  }

  channelsIn(guildId) {
    return [...this.app.store.channels.values()].filter((channel) => channel.guild_id === guildId);
  }

  railButton(view, label, { symbol = null, letters = null }, channels) {
    const { store } = this.app;
    const mentions = store.mentionsOf(channels.map((channel) => channel.id));
    const unread = channels.some((channel) => store.marks.isUnread(channel));
    const about = [label, mentions > 0 ? `${mentions} for you` : unread ? 'unread' : null].filter(Boolean).join(', ');
    return h(
      'button',
      {
        class: `server${unread ? ' unread' : ''}`,
        type: 'button',
        'aria-label': about,
        title: label,
        'aria-pressed': String(this.view === view),
        'data-testid': `server-${view === DMS ? DMS : label}`,
        'data-key': `server-${view}`,
        onclick: () => this.go(view),
      },
      h('span', { class: 'server-face', 'aria-hidden': 'true', 'data-initials': letters }, symbol ? icon(symbol, 24) : null),
      badge(mentions),
    );
  }

  /** Shows a server's channels, and on a wide window opens the one that was last open there. */
  go(view) {
    this.view = view;
    this.paint();
    if (this.app.isNarrow()) return;
    const last = this.app.store.channels.get(this.lastIn.get(view));
    const first =
      view === DMS
        ? this.app.store.dms()[0]
        : this.app.store
            .channelsOf(view)
            .flatMap((group) => group.channels)
            .find((channel) => !VOICE.has(channel.type));
    if (last ?? first) this.app.open((last ?? first).id);
  }

  // ---- Channels

  channelGroups(guild) {
    return this.app.store
      .channelsOf(guild.id)
      .map(({ category, channels }) => [
        category ? h('h3', { class: 'category' }, category.name) : null,
        channels.map((channel) => this.channelWithThreads(channel)),
      ]);
  }

  channelWithThreads(channel) {
    const { store } = this.app;
    const threads = store.threadsOf(channel.id);
    const archived = store.threadsOf(channel.id, true);
    const shown = this.openArchives.has(channel.id)
      ? archived
      : archived.filter((thread) => thread.id === store.currentId || store.marks.mentions(thread.id) > 0);
    return [
      VOICE.has(channel.type) ? null : this.link(channel, 'hash'),
      threads.length + archived.length > 0
        ? h(
            'div',
            { class: 'threads', role: 'group', 'aria-label': `Threads of ${channel.name}` },
            [...threads, ...shown].map((thread) => this.link(thread, null)),
            archived.length > 0 ? this.archiveButton(channel, archived.length) : null,
          )
        : null,
    ];
  }

  archiveButton(channel, count) {
    const open = this.openArchives.has(channel.id);
    const toggle = () => {
      open ? this.openArchives.delete(channel.id) : this.openArchives.add(channel.id);
      this.paint();
    };
    return h(
      'button',
      {
        class: 'archive',
        type: 'button',
        'aria-expanded': String(open),
        'data-key': `archive-${channel.id}`,
        onclick: toggle,
      },
      open ? 'Hide archived' : `${count} archived`,
    );
  }

  link(channel, symbol) {
    const { store } = this.app;
    const name = store.channelName(channel);
    const mentions = store.marks.mentions(channel.id);
    const unread = store.marks.isUnread(channel);
    const other = isDm(channel) ? channel.recipients[0] : null;
    const node = h(
      'a',
      {
        class: ['channel', unread && 'unread', channel.thread_metadata?.archived && 'archived', isDm(channel) && 'dm']
          .filter(Boolean)
          .join(' '),
        href: channelUrl(channel.id),
        title: name,
        'aria-current': channel.id === store.currentId ? 'page' : null,
        'aria-label': [name, mentions > 0 ? `${mentions} for you` : unread ? 'unread' : null]
          .filter(Boolean)
          .join(', '),
        'data-testid': `channel-${name}`,
        'data-channel-id': channel.id,
        'data-key': `channel-${channel.id}`,
        'data-unread': unread ? 'true' : null,
        onclick: (event) => this.follow(event, channel),
      },
      other ? avatar(other, 30) : symbol ? icon(symbol, 18) : null,
      h('span', { class: 'channel-name' }, nameParts(name)),
      badge(mentions),
    );
    onContextMenu(node, (x, y) =>
      openMenu(
        [
          { label: 'Mark as read', icon: 'check', run: () => store.markRead(channel) },
          { label: 'Copy channel ID', icon: 'copy', run: () => copyText(channel.id) },
        ],
        { point: { x, y }, label: name },
      ),
    );
    return node;
  }

  follow(event, channel) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.app.open(channel.id);
  }

  // ---- Direct messages

  dmList() {
    const talks = this.app.store.dms();
    return [
      h(
        'button',
        {
          class: 'channel new-dm',
          type: 'button',
          'data-testid': 'new-dm',
          'data-key': 'new-dm',
          onclick: (event) => this.newDm(event.currentTarget),
        },
        icon('plus', 18),
        'New direct message',
      ),
      talks.map((channel) => this.link(channel, 'at')),
      talks.length === 0 ? h('p', { class: 'hint' }, 'No direct messages yet. The bot reads moves here too.') : null,
    ];
  }

  newDm(anchor) {
    const { store } = this.app;
    const others = [...store.users.values()].filter((user) => user.id !== store.meId);
    openMenu(
      others.map((user) => ({
        label: nameOf(user),
        detail: user.bot ? 'bot' : null,
        icon: user.bot ? 'rook' : 'at',
        run: () => openDm(this.app, user),
      })),
      { anchor, label: 'Write to' },
    );
  }

  /** Returns the channel above or below the current one in the list, for Alt+Up and Alt+Down. */
  neighbour(step) {
    const ids = [...this.list.querySelectorAll('a[data-channel-id]')].map((node) => node.dataset.channelId);
    return ids.length === 0 ? null : ids[(ids.indexOf(this.app.store.currentId) + step + ids.length) % ids.length];
  }
}

const badge = (count) =>
  count > 0
    ? h(
        'span',
        { class: 'badge', 'data-testid': 'mention-count', 'aria-hidden': 'true' },
        count > 99 ? '99+' : String(count),
      )
    : null;

// The state of the page, with listeners for its changes. It contains no DOM and makes no requests.
import { History } from './history.js';
import { ReadMarks } from './unread.js';

const TEXT = 0;
const DM = 1;
const GROUP_DM = 3;
const CATEGORY = 4;
export const EPHEMERAL = 64;
export const LOADING = 128;
/** The type of the message in a thread that shows the one it began with. */
export const THREAD_STARTER = 21;

export const isThread = (channel) => channel.type >= 10 && channel.type <= 12;
export const isDm = (channel) => channel.type === DM || channel.type === GROUP_DM;
const isTalk = (channel) => channel.type === TEXT || channel.type === 5 || isThread(channel) || isDm(channel);

/** Returns a person's name: the display name before the account's. */
export const nameOf = (user) => user?.global_name ?? user?.username ?? 'Somebody';

export class Store {
  constructor(meId) {
    this.meId = meId;
    this.marks = new ReadMarks(meId);
    this.users = new Map();
    this.guilds = new Map();
    this.channels = new Map();
    this.histories = new Map();
    this.commands = [];
    this.typing = new Map();
    this.botOnline = true;
    this.connected = false;
    this.currentId = null;
    this.listeners = new Map();
  }

  /**
   * Calls `listener(detail)` whenever one of the topics changes; returns a function that stops it.
   * Topics: channels, messages, members, typing, unread, current, commands, bot, interactions, acts.
   */
  on(topics, listener) {
    const sets = topics.split(' ').map((topic) => {
      if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
      return this.listeners.get(topic).add(listener);
    });
    return () => sets.forEach((set) => set.delete(listener));
  }

  emit(topic, detail) {
    for (const listener of this.listeners.get(topic) ?? []) listener(detail);
  }

  get me() {
    return this.users.get(this.meId);
  }

  get current() {
    return this.channels.get(this.currentId) ?? null;
  }

  /** Replaces the state by that of `/page/state`, at the start and after each reconnection. */
  takeState(state) {
    this.users.clear();
    this.channels.clear();
    this.guilds.clear();
    for (const user of [...state.users, state.me]) this.users.set(user.id, user);
    for (const guild of state.guilds) this.takeGuild(guild);
    for (const channel of state.dms) this.takeDm(channel);
    this.commands = state.commands ?? [];
    if (typeof state.bot_online === 'boolean') this.botOnline = state.bot_online;
    this.marks.begin(this.channels.values());
    for (const topic of ['channels', 'members', 'commands', 'unread', 'bot']) this.emit(topic);
  }

  takeGuild(guild) {
    const { channels = [], threads = [], members = [], roles = [], ...rest } = guild;
    const known = { ...rest, roles, members: new Map(members.map((member) => [member.user.id, member])) };
    this.guilds.set(guild.id, known);
    for (const member of members)
      this.users.set(member.user.id, { ...this.users.get(member.user.id), ...member.user });
    for (const channel of [...channels, ...threads])
      this.channels.set(channel.id, { ...channel, guild_id: guild.id });
  }

  takeDm(channel) {
    const others = (channel.recipients ?? []).filter((user) => user.id !== this.meId);
    for (const user of others) if (!this.users.has(user.id)) this.users.set(user.id, user);
    // Channel events are from the bot's view, which leaves the bot out.
    const recipients = others.length > 0 ? others : [...this.users.values()].filter((user) => user.bot).slice(0, 1);
    this.channels.set(channel.id, { ...this.channels.get(channel.id), ...channel, recipients });
  }

  /** Returns the messages of a channel, created on first use. */
  history(channelId) {
    if (!this.histories.has(channelId)) this.histories.set(channelId, new History());
    return this.histories.get(channelId);
  }

  /** Returns the channels of a server in order: each category after the channels without one, without threads. */
  channelsOf(guildId) {
    const all = [...this.channels.values()].filter((channel) => channel.guild_id === guildId && !isThread(channel));
    const byPlace = (a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id.localeCompare(b.id);
    const inside = (parent) =>
      all.filter((channel) => channel.type !== CATEGORY && (channel.parent_id ?? null) === parent).sort(byPlace);
    const categories = all.filter((channel) => channel.type === CATEGORY).sort(byPlace);
    return [
      { category: null, channels: inside(null) },
      ...categories.map((category) => ({ category, channels: inside(category.id) })),
    ];
  }

  /** The threads of a channel, the newest first; archived ones only if asked for. */
  threadsOf(channelId, archived = false) {
    return [...this.channels.values()]
      .filter(
        (channel) =>
          isThread(channel) &&
          channel.parent_id === channelId &&
          Boolean(channel.thread_metadata?.archived) === archived,
      )
      .sort((a, b) => b.id.length - a.id.length || (a.id < b.id ? 1 : -1));
  }

  dms() {
    const newest = (channel) => (channel.last_message_id ?? channel.id).padStart(20, '0');
    return [...this.channels.values()].filter(isDm).sort((a, b) => newest(b).localeCompare(newest(a)));
  }

  /** Returns the people who can be mentioned in a channel: the server's members, or the two of a DM. */
  peopleIn(channel) {
    if (!channel) return [];
    if (isDm(channel)) return [this.me, ...channel.recipients];
    return [...(this.guilds.get(channel.guild_id)?.members.keys() ?? [])].map((id) => this.users.get(id));
  }

  /** Returns a person's name in a channel: the server nickname first. */
  displayName(userId, channel = this.current) {
    const member = this.guilds.get(channel?.guild_id)?.members.get(userId);
    return member?.nick ?? nameOf(this.users.get(userId));
  }

  channelName(channel) {
    if (!channel) return 'unknown';
    if (!isDm(channel)) return channel.name;
    return channel.recipients.map(nameOf).join(', ') || 'Yourself';
  }

  /** Returns the channel to show if the address names none that exists. */
  firstChannel() {
    const inOrder = [...this.guilds.keys()].flatMap((id) => this.channelsOf(id).flatMap((group) => group.channels));
    return inOrder.find(isTalk) ?? this.dms()[0] ?? null;
  }

  mentionsOf(channelIds) {
    return channelIds.reduce((sum, id) => sum + this.marks.mentions(id), 0);
  }

  /** Marks a channel read up to its last message. */
  markRead(channel) {
    if (channel?.last_message_id && this.marks.markRead(channel.id, channel.last_message_id)) this.emit('unread');
  }
}

// Applies WebSocket events to the store.
import { compareIds } from './history.js';
import { EPHEMERAL, THREAD_STARTER, isDm } from './store.js';

const TYPING_MS = 10_000;

const EVENTS = {
  MESSAGE_CREATE(store, message) {
    const channel = store.channels.get(message.channel_id);
    store.history(message.channel_id).put(message);
    store.typing.get(message.channel_id)?.delete(message.author.id);
    if (channel && compareIds(message.id, channel.last_message_id ?? '0') > 0) channel.last_message_id = message.id;
    noteUnread(store, message);
    store.emit('messages', { channelId: message.channel_id, message });
    store.emit('typing');
  },

  MESSAGE_UPDATE(store, message) {
    const history = store.history(message.channel_id);
    if (!history.loaded || history.get(message.id)) history.put(message);
    store.emit('messages', { channelId: message.channel_id, edited: message });
    updateStarter(store, message);
  },

  MESSAGE_DELETE(store, { id, channel_id: channelId }) {
    store.history(channelId).remove(id);
    store.emit('messages', { channelId });
  },

  CHANNEL_CREATE: putChannel,
  CHANNEL_UPDATE: putChannel,
  CHANNEL_DELETE: dropChannel,
  THREAD_CREATE: putChannel,
  THREAD_UPDATE: putChannel,
  THREAD_DELETE: dropChannel,

  TYPING_START(store, { channel_id: channelId, user_id: userId }) {
    if (userId === store.meId) return;
    if (!store.typing.has(channelId)) store.typing.set(channelId, new Map());
    store.typing.get(channelId).set(userId, Date.now() + TYPING_MS);
    store.emit('typing');
    setTimeout(() => store.emit('typing'), TYPING_MS + 50);
  },

  GUILD_CREATE(store, guild) {
    store.takeGuild(guild);
    store.emit('channels');
    store.emit('members');
  },

  GUILD_MEMBER_ADD: putMember,
  GUILD_MEMBER_UPDATE: putMember,

  GUILD_MEMBER_REMOVE(store, { guild_id: guildId, user }) {
    store.guilds.get(guildId)?.members.delete(user.id);
    store.emit('members');
  },

  COMMANDS_UPDATE(store, { commands }) {
    store.commands = commands;
    store.emit('commands');
  },

  BOT_STATUS(store, { online }) {
    store.botOnline = online;
    store.emit('bot');
  },
};

/** Applies one event. Unknown names are ignored. */
export function applyEvent(store, { t: name, d: data }) {
  EVENTS[name]?.(store, data);
}

/** Updates the first message of a thread, which shows the message that the thread began with; both have one id. */
function updateStarter(store, message) {
  if (!store.channels.has(message.id)) return;
  const history = store.history(message.id);
  const starts = (other) => other?.type === THREAD_STARTER && other.message_reference?.message_id === message.id;
  const starter = [...history.list, ...history.live.values()].find(starts);
  if (!starter) return;
  history.put({ ...starter, referenced_message: message });
  store.emit('messages', { channelId: message.id });
}

function noteUnread(store, message) {
  const channel = store.channels.get(message.channel_id);
  if (!channel) return;
  const seen = message.channel_id === store.currentId && document.visibilityState === 'visible';
  const mine = message.author.id === store.meId;
  if (seen || mine) return store.markRead(channel);
  if (mentionsMe(store, message)) store.marks.addMention(channel.id);
  store.emit('unread');
}

/** Whether a message notifies this person: by name, by everyone, in a DM, or as an ephemeral one. */
export function mentionsMe(store, message) {
  const direct = store.channels.get(message.channel_id)?.guild_id === undefined;
  return (
    direct ||
    message.mention_everyone ||
    Boolean((message.flags ?? 0) & EPHEMERAL) ||
    (message.mentions ?? []).some((user) => user.id === store.meId)
  );
}

function putChannel(store, channel) {
  if (isDm(channel)) store.takeDm(channel);
  else store.channels.set(channel.id, { ...store.channels.get(channel.id), ...channel });
  store.emit('channels');
}

function dropChannel(store, { id }) {
  store.channels.delete(id);
  store.histories.delete(id);
  store.emit('channels');
}

function putMember(store, { guild_id: guildId, ...member }) {
  const guild = store.guilds.get(guildId);
  store.users.set(member.user.id, { ...store.users.get(member.user.id), ...member.user });
  guild?.members.set(member.user.id, { ...guild.members.get(member.user.id), ...member });
  store.emit('members');
}

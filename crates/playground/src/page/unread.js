// The read state of this person, kept in the browser so that it survives a reload.
import { compareIds } from './history.js';

export class ReadMarks {
  constructor(personId) {
    this.key = `rookery.read.${personId}`;
    this.load();
  }

  load() {
    try {
      this.marks = JSON.parse(localStorage.getItem(this.key)) ?? null;
    } catch {
      this.marks = null;
    }
  }

  save() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.marks));
    } catch {
      /* Without storage the chat works, but the read state is lost. */
    }
  }

  /** When this browser first sees a person, everything counts as read; later, unknown channels are new. */
  begin(channels) {
    if (this.marks) return;
    this.marks = {};
    for (const channel of channels) this.marks[channel.id] = { read: channel.last_message_id ?? '0', mentions: 0 };
    this.save();
  }

  entry(channelId) {
    return this.marks?.[channelId] ?? { read: '0', mentions: 0 };
  }

  isUnread(channel) {
    return Boolean(channel.last_message_id) && compareIds(channel.last_message_id, this.entry(channel.id).read) > 0;
  }

  mentions(channelId) {
    return this.entry(channelId).mentions;
  }

  /** Returns the id after which messages are new, for the line in the feed. */
  readUpTo(channelId) {
    return this.entry(channelId).read;
  }

  markRead(channelId, messageId) {
    const entry = this.entry(channelId);
    if (entry.mentions === 0 && compareIds(messageId, entry.read) <= 0) return false;
    this.marks[channelId] = { read: compareIds(messageId, entry.read) > 0 ? messageId : entry.read, mentions: 0 };
    this.save();
    return true;
  }

  addMention(channelId) {
    const entry = this.entry(channelId);
    this.marks[channelId] = { ...entry, mentions: entry.mentions + 1 };
    this.save();
  }

  total() {
    return Object.values(this.marks ?? {}).reduce((sum, entry) => sum + entry.mentions, 0);
  }
}

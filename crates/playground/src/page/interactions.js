// The person's interactions, from the press to the answer. One entry per interaction: { id, number,
// channelId, messageId, customId, label, state } with state `sent`, `thinking` or `failed`.
import { toast } from './dom.js';

// An answer must come within 3 s; if the socket was down meanwhile, no event reports it, so the page checks
// itself.
const GIVE_UP_MS = 5000;
const FAILURE_SHOWN_MS = 30_000;

export class Interactions {
  constructor(store, api) {
    this.store = store;
    this.api = api;
    this.open = new Map();
    // An event can arrive before the HTTP response that names its interaction.
    this.early = new Map();
    this.asking = 0;
    this.count = 0;
    this.started = new Set();
  }

  /** Sends an interaction and tracks it. Returns its id, or null if it was refused (and the person was notified). */
  async run(body, { label, messageId = null, customId = null, quiet = false } = {}) {
    this.count += 1;
    const entry = {
      id: null,
      number: this.count,
      channelId: body.channel_id,
      messageId,
      customId,
      label,
      state: 'sent',
    };
    this.forgetFailures(messageId);
    this.open.set(entry, entry);
    this.asking += 1;
    this.store.emit('acts', { channelId: body.channel_id, messageId });
    this.changed(entry);
    try {
      const { interaction_id: id } = await this.api.interact(body);
      this.name(entry, id);
      return id;
    } catch (error) {
      this.open.delete(entry);
      this.changed(entry);
      if (quiet) throw error;
      toast(error.message, 'danger');
      return null;
    } finally {
      this.asking -= 1;
    }
  }

  name(entry, id) {
    entry.id = id;
    this.started.add(id);
    this.open.delete(entry);
    this.open.set(id, entry);
    this.early.get(id)?.forEach((event) => this.hear(event));
    this.early.clear();
    setTimeout(() => {
      if (this.open.get(id)?.state === 'sent') this.fail(entry);
    }, GIVE_UP_MS);
  }

  /** Handles the INTERACTION_… events; returns whether it was one. */
  hear(event) {
    const { t: name, d: data } = event;
    if (!name.startsWith('INTERACTION_')) return false;
    const entry = this.open.get(data.interaction_id);
    if (entry) this.settle(entry, name, data);
    else if (this.asking > 0)
      this.early.set(data.interaction_id, [...(this.early.get(data.interaction_id) ?? []), event]);
    return true;
  }

  settle(entry, name, data) {
    if (name === 'INTERACTION_FAILED') return this.fail(entry);
    if (name === 'INTERACTION_DONE') this.open.delete(entry.id);
    // The answer will be a separate message, so the pressed message no longer shows the wait.
    else Object.assign(entry, { state: 'thinking', messageId: null });
    this.changed(entry);
  }

  fail(entry) {
    entry.state = 'failed';
    this.changed(entry);
    setTimeout(() => this.dismiss(entry), FAILURE_SHOWN_MS);
  }

  dismiss(entry) {
    if (this.open.delete(entry.id)) this.changed(entry);
  }

  /** After a lost connection the outcome is unknown; answers are found in the messages. */
  forgetAll() {
    this.open.clear();
    this.store.emit('interactions', {});
  }

  forgetFailures(messageId) {
    for (const [key, entry] of this.open) {
      if (entry.state === 'failed' && entry.messageId === messageId) this.open.delete(key);
    }
  }

  /** Calls `done(failed)` once, when the interaction is answered. */
  whenSettled(id, done) {
    const look = () => {
      const state = this.open.get(id)?.state;
      if (state === 'sent') return;
      stop();
      done(state === 'failed');
    };
    const stop = this.store.on('interactions', look);
    look();
  }

  /** Whether this tab sent it; a modal opens only there, not in the person's other tabs. */
  isMine(id) {
    return this.started.has(id) || this.asking > 0;
  }

  /** Whether a message answers an interaction of this tab, perhaps one whose id is still to come. */
  answers(message) {
    const { id, user } = message.interaction_metadata ?? message.interaction ?? {};
    return Boolean(id) && user?.id === this.store.meId && this.isMine(id);
  }

  /** Returns the entry of the last press on a message, while it is open. */
  onMessage(messageId) {
    return [...this.open.values()].findLast((entry) => entry.messageId === messageId) ?? null;
  }

  /** Returns the open interactions of a channel without a message: commands sent, thinking, or failed. */
  inChannel(channelId) {
    return [...this.open.values()].filter((entry) => entry.channelId === channelId && entry.messageId === null);
  }

  changed(entry) {
    this.store.emit('interactions', { channelId: entry.channelId, messageId: entry.messageId });
  }
}

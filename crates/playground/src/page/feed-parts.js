// The parts of the feed besides messages, and the ordering of its nodes.
import { h } from './dom.js';
import { signOf, spokenName } from './header.js';
import { icon } from './icons.js';
import { thinking } from './message.js';
import { avatar, botTag } from './people.js';
import { EPHEMERAL, isDm, isThread } from './store.js';
import { otherDay } from './time.js';

const RUN_MS = 7 * 60_000;
// The message types that people and bots write: plain, reply, answers to slash and menu commands.
const WRITTEN = new Set([0, 19, 20, 23]);

/** Grey bars while the first page is loading. */
export const skeletons = () =>
  h(
    'div',
    { class: 'feed-top' },
    [1, 2, 3, 4].map(() => h('div', { class: 'skeleton' })),
  );

export const topButton = (label, run) =>
  h('div', { class: 'feed-top' }, h('button', { class: 'button secondary', type: 'button', onclick: run }, label));

const howTo = () => [
  'Type / to see what the bot can do. Each tab is one person: ',
  h('span', { class: 'on-wide' }, 'switch at the lower left'),
  h('span', { class: 'on-phone' }, 'open ☰ and press your name to switch'),
  ', or open a second tab to play both sides.',
];

/** The heading above a channel's first message. */
export function welcome(store, channel) {
  if (!channel) return h('div');
  const name = spokenName(store, channel);
  const words = isDm(channel)
    ? `This is the start of your conversation with ${store.channelName(channel)}.`
    : `This is the start of ${isThread(channel) ? 'the thread ' : ''}${name}.`;
  return h(
    'div',
    { class: 'feed-top welcome' },
    h('div', { class: 'welcome-sign' }, icon(signOf(channel), 34)),
    h('h2', null, name),
    h('p', null, words, channel.topic ? ` ${channel.topic}` : ''),
    isThread(channel) ? null : h('p', null, howTo()),
  );
}

/** A command without a message yet: sent, thinking, or failed. */
export function pendingRow(app, entry) {
  const bot = app.bot();
  return h(
    'div',
    { class: `message head pending pending-${entry.state}`, 'data-testid': 'pending' },
    h('div', { class: 'gutter' }, avatar(bot, 40)),
    h(
      'div',
      { class: 'body' },
      h('div', { class: 'author-line' }, h('span', { class: 'name' }, app.botName()), botTag(bot)),
      PENDING[entry.state](app, entry),
    ),
  );
}

const PENDING = {
  sent: (app, entry) => h('div', { class: 'thinking faint' }, `Sending ${entry.label}…`),
  thinking: (app) => thinking(app.botName()),
  failed: (app, entry) =>
    h(
      'div',
      { class: 'failure', role: 'alert', 'data-testid': 'interaction-failed' },
      'This interaction failed',
      h('small', null, ` ${entry.label} had no answer in time. `),
      h(
        'button',
        { class: 'text-button', type: 'button', onclick: () => app.interactions.dismiss(entry) },
        'Dismiss',
      ),
    ),
};

export const divider = (kind, text) => h('div', { class: kind, role: 'separator' }, h('span', null, text));

/** Whether a message starts a group: another author, a pause, a reply, a command's answer, or another day. */
export function isHead(previous, message) {
  if (!previous || previous.author.id !== message.author.id) return true;
  if (
    message.message_reference ||
    (message.interaction ?? message.interaction_metadata)?.name ||
    (message.flags ?? 0) & EPHEMERAL ||
    (previous.flags ?? 0) & EPHEMERAL
  )
    return true;
  if (!WRITTEN.has(previous.type ?? 0) || otherDay(previous.timestamp, message.timestamp)) return true;
  return new Date(message.timestamp) - new Date(previous.timestamp) > RUN_MS;
}

/** Makes `nodes` the children of `list`, moving only nodes out of order (a move would lose the focus). */
export function reconcile(list, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  let place = list.firstChild;
  for (const node of nodes) {
    if (node === place) place = place.nextSibling;
    else list.insertBefore(node, place);
  }
}

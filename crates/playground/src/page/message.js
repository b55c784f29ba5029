// One message as a DOM node.
import { messageMenu, personMenu, removeMessage } from './actions.js';
import { components } from './components.js';
import { h, onContextMenu } from './dom.js';
import { embeds } from './embeds.js';
import { mentionsMe } from './events.js';
import { icon } from './icons.js';
import { markdown } from './markdown.js';
import { attachments } from './media.js';
import { avatar, botTag } from './people.js';
import { quoteAbove } from './quote.js';
import { EPHEMERAL, LOADING, THREAD_STARTER, isDm } from './store.js';
import { fullTime, shortTime, stamp } from './time.js';

const JOINED = 7;
const THREAD_CREATED = 18;
const PINNED = 6;
const COMPLETED_MS = 10_000;

/** Builds a message; `head` is whether it shows its author, as the first of a group does. */
export function renderMessage(app, message, head) {
  const system = SYSTEM[message.type];
  const node = h(
    'div',
    {
      class: classes(app, message, head, system),
      id: `message-${message.id}`,
      role: 'article',
      tabindex: '-1',
      'aria-label': `${app.store.displayName(message.author.id)}, ${stamp(message.timestamp)}`,
      'aria-describedby': textOf(message) ? `content-${message.id}` : null,
      'data-testid': 'message',
      'data-message-id': message.id,
      'data-author-id': message.author.id,
    },
    system ? systemLine(app, message, system) : ordinary(app, message, head),
    toolbar(app, message),
  );
  onContextMenu(node, (x, y, target) => openMenuFor(app, message, target, { x, y }));
  paintInteraction(node, app.interactions.onMessage(message.id));
  return node;
}

function classes(app, message, head, system) {
  const mine = message.author.id === app.store.meId;
  const called = !mine && !isDm(app.store.current ?? {}) && mentionsMe(app.store, message) && !isEphemeral(message);
  return [
    'message',
    head && 'head',
    system && 'system',
    called && 'called',
    isEphemeral(message) && 'ephemeral',
    isLoading(message) && 'loading',
  ]
    .filter(Boolean)
    .join(' ');
}

export const isEphemeral = (message) => Boolean((message.flags ?? 0) & EPHEMERAL);
const isLoading = (message) => Boolean((message.flags ?? 0) & LOADING);

function openMenuFor(app, message, target, point) {
  const onAuthor = target.closest?.('.name, .message-avatar');
  if (onAuthor) personMenu(app, message.author, { point });
  else messageMenu(app, message, { point });
}

// ---- Ordinary messages

function ordinary(app, message, head) {
  const names = app.names(message);
  return [
    head ? quoteAbove(app, message, names) : null,
    h(
      'div',
      { class: 'gutter' },
      head
        ? avatarButton(app, message)
        : h(
            'time',
            { class: 'side-time', datetime: message.timestamp, title: fullTime(message.timestamp) },
            shortTime(message.timestamp),
          ),
    ),
    h(
      'div',
      { class: 'body' },
      head ? authorLine(app, message) : null,
      content(app, message, names),
      attachments(message),
      embeds(message, names),
      components(message, app, names),
      reactions(message),
      threadLink(app, message),
      ephemeralNote(app, message),
      h('div', { class: 'failure', role: 'alert', hidden: true, 'data-testid': 'interaction-failed' }),
    ),
  ];
}

function avatarButton(app, message) {
  const open = (event) => personMenu(app, message.author, { anchor: event.currentTarget });
  return h(
    'button',
    {
      class: 'message-avatar',
      type: 'button',
      tabindex: '-1',
      'aria-label': `About ${app.store.displayName(message.author.id)}`,
      onclick: open,
    },
    avatar(message.author, 40),
  );
}

function authorLine(app, message) {
  const open = (event) => personMenu(app, message.author, { anchor: event.currentTarget });
  return h(
    'div',
    { class: 'author-line' },
    h(
      'button',
      { class: 'name', type: 'button', tabindex: '-1', onclick: open },
      app.store.displayName(message.author.id),
    ),
    botTag(message.author),
    h(
      'time',
      { class: 'time', datetime: message.timestamp, title: fullTime(message.timestamp) },
      stamp(message.timestamp),
    ),
  );
}

function content(app, message, names) {
  if (isLoading(message)) return thinking(app.store.displayName(message.author.id));
  const text = textOf(message);
  if (!text) return null;
  // Hidden from screen readers, which would read it as part of the message's description.
  const edited = isRewritten(message)
    ? h('span', { class: 'edited', 'aria-hidden': 'true', title: fullTime(message.edited_timestamp) }, '(edited)')
    : null;
  const big = /^(?:\p{Extended_Pictographic}\uFE0F?\s*){1,3}$/u.test(text);
  return h(
    'div',
    { class: `content markdown${big ? ' big' : ''}`, id: `content-${message.id}`, 'data-testid': 'content' },
    markdown(text, names),
    edited,
  );
}

const textOf = (message) =>
  (message.type === THREAD_STARTER ? message.referenced_message?.content : message.content) || null;

/** Whether the author changed what people may have read: not an answer that is completed, or changed by a press. */
function isRewritten(message) {
  if (!message.edited_timestamp || isEphemeral(message) || message.interaction_metadata) return false;
  return new Date(message.edited_timestamp) - new Date(message.timestamp) > COMPLETED_MS;
}

/** The line in place of an answer that is still to come. */
export function thinking(name) {
  return h(
    'div',
    { class: 'thinking', 'data-testid': 'thinking' },
    h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    `${name} is thinking…`,
  );
}

/** Reactions are only shown: the server has no request for adding them. */
function reactions(message) {
  if (!message.reactions?.length) return null;
  return h(
    'div',
    { class: 'reactions' },
    message.reactions.map(({ emoji, count }) => h('span', { class: 'chip' }, `${emoji.name} ${count}`)),
  );
}

function threadLink(app, message) {
  const thread = message.thread ? app.store.channels.get(message.thread.id) : null;
  if (!thread) return null;
  return h(
    'button',
    { class: 'thread-link', type: 'button', onclick: () => app.open(thread.id) },
    icon('thread', 18),
    h('strong', null, thread.name),
    h('span', null, 'Open the thread ›'),
  );
}

function ephemeralNote(app, message) {
  if (!isEphemeral(message)) return null;
  return h(
    'div',
    { class: 'ephemeral-note', 'data-testid': 'ephemeral-note' },
    icon('eye', 16),
    'Only you can see this · ',
    h(
      'button',
      { class: 'text-button', type: 'button', 'data-testid': 'dismiss', onclick: () => removeMessage(app, message) },
      'Dismiss message',
    ),
  );
}

// ---- System messages: [icon, what follows the author's name]

const SYSTEM = {
  [JOINED]: ['people', () => [' has joined the server.']],
  [PINNED]: ['alert', () => [' pinned a message.']],
  [THREAD_CREATED]: [
    'thread',
    (app, message) => [
      ' started a thread: ',
      h(
        'button',
        {
          class: 'text-button strong',
          type: 'button',
          onclick: () => app.open(message.message_reference?.channel_id),
        },
        message.content,
      ),
    ],
  ],
};

function systemLine(app, message, [symbol, rest]) {
  return [
    h('div', { class: 'gutter' }, icon(symbol, 20)),
    h(
      'div',
      { class: 'body' },
      h(
        'span',
        { class: 'system-text' },
        h('strong', null, app.store.displayName(message.author.id)),
        ...rest(app, message),
      ),
      h(
        'time',
        { class: 'time', datetime: message.timestamp, title: fullTime(message.timestamp) },
        stamp(message.timestamp),
      ),
    ),
  ];
}

// ---- Temporary elements

function toolbar(app, message) {
  const tool = (name, label, run) =>
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: run },
      icon(name, 18),
    );
  return h(
    'div',
    { class: 'toolbar' },
    isEphemeral(message) ? null : tool('reply', 'Reply', () => app.reply(message)),
    tool('more', 'More actions', (event) => messageMenu(app, message, { anchor: event.currentTarget })),
  );
}

/** Shows the state of a message's last press: which control waits, and whether it failed. */
export function paintInteraction(node, entry) {
  const waiting = entry?.state === 'sent';
  for (const control of node.querySelectorAll('.components [data-custom-id]')) {
    const own = waiting && control.dataset.customId === entry.customId;
    control.classList.toggle('busy', own);
    control.toggleAttribute('data-waiting', waiting);
    if (own) control.setAttribute('aria-busy', 'true');
    else control.removeAttribute('aria-busy');
  }
  const failure = node.querySelector('.failure');
  if (!failure) return;
  failure.hidden = entry?.state !== 'failed';
  failure.textContent = failure.hidden ? '' : 'This interaction failed';
}

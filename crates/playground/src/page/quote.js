// The small line above a message: the message or command that it answers.
import { personMenu } from './actions.js';
import { h } from './dom.js';
import { plain } from './markdown.js';
import { avatar, botTag } from './people.js';

const REPLY = 19;
const MENU_COMMAND = 23;

/** Returns the line for a message, or null if it answers nothing. */
export function quoteAbove(app, message, names) {
  if (message.message_reference && message.type === REPLY) return quotedLine(app, message, names);
  const used = message.interaction ?? message.interaction_metadata;
  if (!used?.name || !used.user) return null;
  return h(
    'div',
    { class: 'quote' },
    avatar(used.user, 16),
    h(
      'button',
      {
        class: 'quote-name',
        type: 'button',
        onclick: (event) => personMenu(app, used.user, { anchor: event.currentTarget }),
      },
      app.store.displayName(used.user.id),
    ),
    ' used ',
    h('span', { class: 'mention' }, message.type === MENU_COMMAND ? used.name : `/${used.name}`),
  );
}

function quotedLine(app, message, names) {
  const quoted =
    app.store.history(message.channel_id).get(message.message_reference.message_id) ?? message.referenced_message;
  if (!quoted) return h('div', { class: 'quote' }, h('em', null, 'The message it answered was deleted.'));
  const pinged = (message.mentions ?? []).some((user) => user.id === quoted.author.id);
  const text = plain(quoted.content ?? '', names) || 'Press to see the picture';
  return h(
    'button',
    {
      class: 'quote',
      type: 'button',
      'data-testid': 'quoted',
      onclick: () => app.feed.jump(quoted.id),
    },
    h('span', { class: 'spoken' }, 'In reply to '),
    avatar(quoted.author, 16),
    h('span', { class: 'quote-name' }, `${pinged ? '@' : ''}${app.store.displayName(quoted.author.id)}`),
    botTag(quoted.author),
    h('span', { class: 'quote-text' }, text),
  );
}

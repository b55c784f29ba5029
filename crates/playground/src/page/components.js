// Buttons, selects and layout components of a message, and the interactions they send.
import { h } from './dom.js';
import { icon } from './icons.js';
import { markdown } from './markdown.js';
import { figure, lightbox } from './media.js';
import { avatar } from './people.js';
import { createSelect } from './select.js';
import { nameOf } from './store.js';

const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link' };

const RENDER = {
  1: actionRow,
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: (section, ctx) =>
    h(
      'div',
      { class: 'section' },
      h(
        'div',
        null,
        section.components.map((part) => component(part, ctx)),
      ),
      component(section.accessory, ctx),
    ),
  10: (text, { names }) => h('div', { class: 'markdown' }, markdown(text.content, names)),
  11: (thumbnail) => mediaFigure([thumbnail], 0, [85, 85]),
  12: (gallery) =>
    h(
      'div',
      { class: 'attachments' },
      gallery.items.map((_, index) => mediaFigure(gallery.items, index)),
    ),
  13: (file) =>
    h('a', { class: 'file-card', href: file.file.url, download: '' }, icon('file', 28), file.name ?? 'File'),
  14: (separator) => h('hr', { class: separator.divider === false ? 'space' : null }),
  17: container,
};

/** The components of a message, or null when it has none. */
export function components(message, app, names) {
  if (!message.components?.length) return null;
  const ctx = { message, app, names };
  return h(
    'div',
    { class: 'components' },
    message.components.map((part) => component(part, ctx)),
  );
}

function component(part, ctx) {
  const render = RENDER[part.type];
  return render
    ? render(part, ctx)
    : h('div', { class: 'unknown' }, `This page can't show components of type ${part.type}.`);
}

// The letters of a row of buttons that fit side by side on a phone.
const ONE_LINE = 32;

/** A row of buttons. One with too much text for a phone gets lines of the same length there, not four and one. */
function actionRow(row, ctx) {
  const { components: parts } = row;
  const node = h(
    'div',
    { class: 'row' },
    parts.map((part) => component(part, ctx)),
  );
  const letters = parts.reduce((sum, { label, emoji }) => sum + (label?.length ?? 0) + (emoji ? 3 : 0), 0);
  if (parts.length < 4 || letters <= ONE_LINE) return node;
  node.dataset.lines = 'even';
  node.style.setProperty('--columns', String(Math.ceil(parts.length / 2)));
  return node;
}

function container(part, ctx) {
  const node = h(
    'div',
    { class: 'container' },
    part.components.map((inner) => component(inner, ctx)),
  );
  if (part.accent_color)
    node.style.setProperty('--embed-color', `#${part.accent_color.toString(16).padStart(6, '0')}`);
  return node;
}

function mediaFigure(items, index, limit) {
  const pictures = items.map((item) => ({ ...item.media, alt: item.description ?? '', spoiler: item.spoiler }));
  return figure(pictures[index], () => lightbox(pictures, index), limit);
}

const emojiText = (emoji) => (emoji ? (emoji.id ? `:${emoji.name}:` : emoji.name) : null);

function button(part, ctx) {
  const inside = [
    part.emoji
      ? h('span', { class: 'emoji', 'aria-hidden': part.label ? 'true' : null }, emojiText(part.emoji))
      : null,
    part.label ? h('span', { class: 'button-label' }, part.label) : null,
  ];
  if (part.style === 5) {
    return h(
      'a',
      {
        class: 'button link',
        href: part.url,
        target: '_blank',
        rel: 'noopener noreferrer',
        'data-testid': 'link-button',
      },
      inside,
      icon('link', 16),
    );
  }
  return h(
    'button',
    {
      class: `button ${STYLES[part.style] ?? 'secondary'}`,
      type: 'button',
      disabled: part.disabled,
      'aria-label': part.label ? null : emojiText(part.emoji),
      'data-testid': 'button',
      'data-custom-id': part.custom_id,
      onclick: () => press(part, ctx),
    },
    inside,
  );
}

/** The choices of each kind of select; a string select contains its own. */
export function selectOptions(part, app) {
  const channel = app.store.current;
  const defaults = new Set((part.default_values ?? []).map((value) => value.id));
  const as = (value, label, extra) => ({ value, label, default: defaults.has(value), ...extra });
  const people = () =>
    app.store.peopleIn(channel).map((user) =>
      as(user.id, app.store.displayName(user.id, channel), {
        description: `@${user.username}`,
        icon: () => avatar(user, 24),
      }),
    );
  const roles = () =>
    (app.store.guilds.get(channel?.guild_id)?.roles ?? []).map((role) => as(role.id, `@${role.name}`));
  const channels = () =>
    [...app.store.channels.values()]
      .filter(
        (one) =>
          one.guild_id === channel?.guild_id &&
          (!part.channel_types?.length || part.channel_types.includes(one.type)),
      )
      .map((one) => as(one.id, `#${app.store.channelName(one)}`));
  const kinds = { 5: people, 6: roles, 7: () => [...people(), ...roles()], 8: channels };
  return kinds[part.type]?.() ?? part.options.map((option) => ({ ...option, emoji: emojiText(option.emoji) }));
}

const PLACEHOLDERS = {
  5: 'Choose a person',
  6: 'Choose a role',
  7: 'Choose a person or a role',
  8: 'Choose a channel',
};

export const placeholderOf = (part) => part.placeholder || PLACEHOLDERS[part.type] || 'Make a selection';

function select(part, ctx) {
  return createSelect({
    placeholder: placeholderOf(part),
    options: () => selectOptions(part, ctx.app),
    min: part.min_values ?? 1,
    max: part.max_values ?? 1,
    disabled: part.disabled,
    search: part.type !== 3,
    onChoose: (values) => press(part, ctx, values),
    data: { 'data-custom-id': part.custom_id },
  }).node;
}

function press(part, { message, app }, values) {
  if (app.interactions.onMessage(message.id)?.state === 'sent') return;
  const data = { component_type: part.type, custom_id: part.custom_id, ...(values && { values }) };
  const label = part.label ?? nameOf(message.author);
  app.interactions.run(
    { type: 3, channel_id: message.channel_id, message_id: message.id, data },
    { label, messageId: message.id, customId: part.custom_id },
  );
}

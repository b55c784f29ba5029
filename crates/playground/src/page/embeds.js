// Embeds: the framed cards a bot puts under its message.
import { h } from './dom.js';
import { markdown } from './markdown.js';
import { figure, lightbox } from './media.js';
import { stamp } from './time.js';

export function embeds(message, names) {
  if (!message.embeds?.length) return null;
  return h(
    'div',
    { class: 'embeds' },
    message.embeds.map((embed) => card(embed, message, names)),
  );
}

function card(embed, message, names) {
  const node = h(
    'article',
    { class: 'embed', 'data-testid': 'embed' },
    h(
      'div',
      { class: 'embed-text' },
      author(embed.author),
      title(embed, names),
      embed.description
        ? h('div', { class: 'embed-description markdown' }, markdown(embed.description, names))
        : null,
      fields(embed.fields, names),
    ),
    picture(embed.thumbnail, message, [80, 80], 'embed-thumbnail'),
    picture(embed.image, message, [400, 300], 'embed-image'),
    footer(embed),
  );
  if (embed.color) node.style.setProperty('--embed-color', `#${embed.color.toString(16).padStart(6, '0')}`);
  return node;
}

const linked = (url, text) =>
  url ? h('a', { href: safeUrl(url), target: '_blank', rel: 'noopener noreferrer' }, text) : text;

// Only web addresses become links; `javascript:` and the like do not.
const safeUrl = (url) => (/^https?:\/\//i.test(url) ? url : null);

const author = (who) => (who?.name ? h('div', { class: 'embed-author' }, linked(who.url, who.name)) : null);

const title = (embed, names) =>
  embed.title
    ? h(
        'div',
        { class: 'embed-title markdown' },
        embed.url ? linked(embed.url, embed.title) : markdown(embed.title, names),
      )
    : null;

function fields(list, names) {
  if (!list?.length) return null;
  return h(
    'div',
    { class: 'embed-fields' },
    list.map((field) =>
      h(
        'div',
        { class: `embed-field${field.inline ? ' inline' : ''}` },
        h('div', { class: 'embed-field-name markdown' }, markdown(field.name, names)),
        h('div', { class: 'markdown' }, markdown(field.value, names)),
      ),
    ),
  );
}

/** Returns an embed's picture; its description and size may be in the attachment that it shows. */
function picture(media, message, limit, className) {
  if (!media?.url) return null;
  const file = (message.attachments ?? []).find(
    (one) => media.url === one.url || media.url === `attachment://${one.filename}`,
  );
  const whole = {
    url: file?.url ?? media.url,
    width: media.width ?? file?.width,
    height: media.height ?? file?.height,
    alt: media.description ?? file?.description ?? '',
    id: file?.id,
  };
  const node = figure(whole, () => lightbox([whole], 0), limit);
  node.classList.add(className);
  return node;
}

function footer(embed) {
  const parts = [embed.footer?.text, embed.timestamp ? stamp(embed.timestamp) : null].filter(Boolean);
  return parts.length > 0 ? h('div', { class: 'embed-footer' }, parts.join(' · ')) : null;
}

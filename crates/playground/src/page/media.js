// Pictures and files of a message: at Discord's size, at full size on request, with alt text on demand.
import { h, fill, uid } from './dom.js';
import { icon } from './icons.js';
import { openDialog } from './popup.js';

// Discord's desktop client shows a single picture at most this large, in CSS pixels.
const MAX_WIDTH = 550;
const MAX_HEIGHT = 350;
// In a low window a picture leaves room for the text above it and the buttons below it.
const BESIDE_PICTURE = 340;
const MIN_HEIGHT = 220;

const isImage = (file) =>
  /^image\/(png|jpe?g|gif|webp)/.test(file.content_type ?? '') ||
  /\.(png|jpe?g|gif|webp)$/i.test(file.filename ?? '');

/** Returns the attachments of a message, without those that its embeds show. */
export function attachments(message) {
  const inEmbeds = new Set(
    (message.embeds ?? []).flatMap((embed) =>
      [embed.image, embed.thumbnail].map((media) => media && fileName(media.url)),
    ),
  );
  const files = (message.attachments ?? []).filter((file) => !inEmbeds.has(file.filename));
  const images = files.filter(isImage).map(asPicture);
  const pictures = images.map((picture, index) => figure(picture, () => lightbox(images, index)));
  const others = files.filter((file) => !isImage(file)).map(fileCard);
  if (files.length === 0) return null;
  return h('div', { class: 'attachments' }, pictures, others);
}

const fileName = (url) => decodeURIComponent((url ?? '').split(/[?#]/)[0].split('/').at(-1));

const asPicture = (file) => ({
  url: file.url,
  width: file.width,
  height: file.height,
  alt: file.description ?? '',
  id: file.id,
  spoiler: file.filename.startsWith('SPOILER_'),
});

/** A picture { url, width, height, alt, spoiler } no larger than Discord shows it, with its ALT badge below it. */
export function figure(picture, onOpen, limit = [MAX_WIDTH, MAX_HEIGHT]) {
  const low = Math.max(MIN_HEIGHT, window.innerHeight - BESIDE_PICTURE);
  const image = h('img', {
    src: nearUrl(picture.url),
    alt: picture.alt || 'Picture without description',
    decoding: 'async',
    ...shownSize(picture, [limit[0], Math.min(limit[1], low)]),
    'data-testid': 'image',
    'data-attachment-url': picture.url,
    'data-attachment-id': picture.id,
  });
  const open = h(
    'button',
    {
      class: 'picture-open',
      type: 'button',
      'aria-label': `Show picture at full size. ${picture.alt}`,
      onclick: onOpen,
    },
    image,
  );
  const node = h('figure', { class: 'picture' }, open, picture.alt ? altBadge(picture.alt) : null);
  return picture.spoiler ? hidden(node) : node;
}

/** Loads the playground's own files from the host of this page, whatever its name. */
const nearUrl = (url) => url.replace(/^https?:\/\/[^/]+(?=\/page\/files\/)/, '');

/** Returns the displayed size as attributes, so that the space is reserved before the picture loads. */
function shownSize({ width, height }, [maxWidth, maxHeight]) {
  if (!width || !height) return { class: 'size-unknown' };
  const scale = Math.min(1, maxWidth / width, maxHeight / height);
  return { width: String(Math.round(width * scale)), height: String(Math.round(height * scale)) };
}

function altBadge(alt) {
  const id = uid('alt');
  const text = h('div', { class: 'alt-text', id, hidden: true, 'data-testid': 'alt-text' }, alt);
  const toggle = ({ currentTarget }) => {
    text.hidden = !text.hidden;
    currentTarget.setAttribute('aria-expanded', String(!text.hidden));
  };
  const close = (event) => {
    if (event.key !== 'Escape' || text.hidden) return;
    toggle(event);
    event.stopPropagation();
  };
  const badge = h(
    'button',
    {
      class: 'alt-badge',
      type: 'button',
      'aria-expanded': 'false',
      'aria-controls': id,
      'data-testid': 'alt-badge',
      title: 'Show the description',
      onclick: toggle,
      onkeydown: close,
    },
    'ALT',
  );
  return [badge, text];
}

function hidden(node) {
  const cover = h(
    'button',
    {
      class: 'spoiler-cover',
      type: 'button',
      onclick: () => {
        cover.remove();
        node.classList.remove('covered');
      },
    },
    'Spoiler',
  );
  node.classList.add('covered');
  node.append(cover);
  return node;
}

function fileCard(file) {
  return h(
    'div',
    { class: 'file-card' },
    icon('file', 28),
    h(
      'div',
      null,
      h('a', { href: nearUrl(file.url), download: file.filename, 'data-testid': 'file' }, file.filename),
      h('small', null, readableSize(file.size)),
    ),
  );
}

function readableSize(bytes) {
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${bytes} bytes`;
}

/** Shows pictures at full size, beginning with the one at `index`; arrow keys change the picture. */
export function lightbox(pictures, index) {
  const dialog = openDialog({ title: 'Picture', testid: 'lightbox', className: 'lightbox' });
  const show = (at) => {
    const picture = pictures[(at + pictures.length) % pictures.length];
    const image = h('img', {
      src: nearUrl(picture.url),
      alt: picture.alt,
      'data-testid': 'lightbox-image',
      title: 'Press to switch between fitting and full size',
    });
    const zoom = h(
      'button',
      {
        class: 'zoom',
        type: 'button',
        'aria-label': 'Switch between fitting and full size',
        onclick: () => zoom.classList.toggle('actual'),
      },
      image,
    );
    fill(dialog.body, zoom);
    fill(
      dialog.foot,
      picture.alt ? h('p', { class: 'caption', tabindex: '0' }, picture.alt) : null,
      h('a', { href: nearUrl(picture.url), target: '_blank', rel: 'noopener' }, 'Open in a tab'),
    );
    index = at;
  };
  dialog.node.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowRight') show(index + 1);
    if (key === 'ArrowLeft') show(index - 1);
  });
  show(index);
}

/**
 * Carries the shown pictures of an old rendering over into a new one of the same message. An <img> that is kept shows
 * its old picture until the new one has arrived, so an edit neither flickers nor moves the page.
 */
export function keepPictures(before, after) {
  const old = [...before.querySelectorAll('figure.picture img')];
  [...after.querySelectorAll('figure.picture img')].forEach((fresh, index) => {
    const kept = old[index];
    if (!kept) return;
    if (!kept.closest('figure').querySelector('.alt-text')?.hidden)
      fresh.closest('figure').querySelector('.alt-badge')?.click();
    for (const { name, value } of fresh.attributes)
      if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
    fresh.replaceWith(kept);
  });
}

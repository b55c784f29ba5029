// The bar above the feed, the window's title, and the line of who is typing.
import { byId, fill, h } from './dom.js';
import { icon } from './icons.js';
import { isDm, isThread } from './store.js';

/** Returns the icon of a channel type. */
export const signOf = (channel) => (isDm(channel) ? 'at' : isThread(channel) ? 'thread' : 'hash');

/** Returns a channel's label: "#general", "@Rookery", or a thread's plain name. */
export function spokenName(store, channel) {
  const mark = isDm(channel) ? '@' : isThread(channel) ? '' : '#';
  return `${mark}${store.channelName(channel)}`;
}

/** A name that is cut before its last word if it is too long: that word tells a game's thread from the others. */
export function nameParts(name) {
  const [, start, end] = /^(.*\S)(\s+\S{1,12})$/u.exec(name) ?? [null, name, ''];
  return [h('span', { class: 'name-start' }, start), end ? h('span', { class: 'name-end' }, end) : null];
}

export function paintTopbar(app, channel) {
  const parent = isThread(channel) ? app.store.channels.get(channel.parent_id) : null;
  const up = parent
    ? [
        h('button', { class: 'crumb', type: 'button', onclick: () => app.open(parent.id) }, parent.name),
        h('span', { class: 'crumb-mark', 'aria-hidden': 'true' }, '›'),
      ]
    : null;
  const topic = channel.topic ? h('span', { class: 'topic', title: channel.topic }, channel.topic) : null;
  const name = app.store.channelName(channel);
  fill(byId('channel-title'), up, icon(signOf(channel), 20), h('h1', { title: name }, nameParts(name)), topic);
}

/** Returns "(2) #general · Rookery playground", with the number of messages that notify this person. */
export function paintTitle(store) {
  const count = store.marks.total();
  const where = store.current ? `${spokenName(store, store.current)} · ` : '';
  document.title = `${count > 0 ? `(${count}) ` : ''}${where}Rookery playground`;
}

export function paintTyping(store) {
  const now = Date.now();
  const typing = [...(store.typing.get(store.currentId) ?? [])].filter(([, until]) => until > now);
  const text = typingText(typing.map(([id]) => store.displayName(id)));
  fill(
    byId('typing'),
    text ? [h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), text] : null,
  );
}

function typingText(names) {
  if (names.length === 0) return '';
  if (names.length > 3) return 'Several people are typing…';
  return `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'is' : 'are'} typing…`;
}

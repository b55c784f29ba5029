// "@name" and "#channel" while typing, and their form when sent.
import { icon } from './icons.js';
import { containing } from './matching.js';
import { avatar } from './people.js';

const SHOWN = 8;

/** The unfinished mention before the cursor: { sign, typed, start }, or null. */
export function mentionAt(text, cursor) {
  const match = /(?:^|[\s(])([@#])([^\s@#]{0,32})$/.exec(text.slice(0, cursor));
  return match ? { sign: match[1], typed: match[2].toLowerCase(), start: cursor - match[2].length - 1 } : null;
}

/** Returns the items for the suggestions list. */
export function mentionItems(store, { sign, typed }) {
  return sign === '@' ? people(store, typed) : channels(store, typed);
}

export function people(store, typed) {
  const channel = store.current;
  const namesOf = (user) => [store.displayName(user.id, channel), user.username];
  return containing(store.peopleIn(channel).filter(Boolean), typed, namesOf)
    .slice(0, SHOWN)
    .map((user) => ({
      title: store.displayName(user.id, channel),
      hint: `@${user.username}`,
      value: user.id,
      leading: avatar(user, 24),
    }));
}

export function channels(store, typed, types = null) {
  const guild = store.current?.guild_id;
  const here = [...store.channels.values()].filter(
    (channel) =>
      channel.guild_id === guild && guild && channel.type !== 4 && (!types?.length || types.includes(channel.type)),
  );
  return containing(here, typed, (channel) => [channel.name])
    .slice(0, SHOWN)
    .map((channel) => ({
      title: channel.name,
      value: channel.id,
      leading: icon(channel.type >= 10 ? 'thread' : 'hash', 20),
    }));
}

/** Replaces "@Name" and "#name" by the server's syntax, longest names first. `picked` resolves equal names. */
export function encodeMentions(text, store, picked) {
  const words = new Map();
  for (const user of store.peopleIn(store.current)) {
    for (const name of [user.username, store.displayName(user.id)])
      words.set(`@${name}`.toLowerCase(), `<@${user.id}>`);
  }
  for (const { title, value } of channels(store, '')) words.set(`#${title}`.toLowerCase(), `<#${value}>`);
  for (const [name, code] of picked) words.set(name.toLowerCase(), code);
  const names = [...words.keys()].sort((a, b) => b.length - a.length);
  return replaceNames(text, names, words);
}

function replaceNames(text, names, words) {
  const lower = text.toLowerCase();
  let out = '';
  for (let at = 0; at < text.length;) {
    const opens = (text[at] === '@' || text[at] === '#') && !/[\w<]/.test(text[at - 1] ?? ' ');
    const name = opens
      ? names.find((one) => lower.startsWith(one, at) && !/\w/.test(lower[at + one.length] ?? ' '))
      : null;
    out += name ? words.get(name) : text[at];
    at += name ? name.length : 1;
  }
  return out;
}

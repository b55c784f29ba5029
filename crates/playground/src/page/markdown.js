// Renders Discord's Markdown as DOM nodes. Unsupported syntax stays as it was typed.
import { h } from './dom.js';
import { channelUrl } from './route.js';
import { timestamp } from './time.js';

/** Renders a message's text. `names` resolves mentions: { user(id), channel(id), role(id), onUser, onPlace }. */
export function markdown(text, names) {
  return blocks(text, names);
}

/** One line without formatting, for quoted replies and labels. */
export function plain(text, names) {
  return text
    .replace(/```(?:\w+\n)?([\s\S]*?)```/g, '$1')
    .replace(/<@!?(\d+)>/g, (_, id) => `@${names.user(id) ?? 'unknown'}`)
    .replace(/<#(\d+)>/g, (_, id) => `#${names.channel(id) ?? 'unknown'}`)
    .replace(/<@&(\d+)>/g, (_, id) => `@${names.role(id) ?? 'role'}`)
    .replace(/<\/([\w -]+):\d+>/g, '/$1')
    .replace(/<t:(-?\d+)(?::([tTdDfFR]))?>/g, (_, seconds, style) => timestamp(Number(seconds), style).textContent)
    .replace(/\[([^\]\n]+)\]\(<?https?:[^)\s]+\)/g, '$1')
    .replace(/https:\/\/[^\s<>]*/g, (href) => placeLabel(placeOf(href, names)) ?? href)
    .replace(/^(?:#{1,3}|-#|>{1,3}) /gm, '')
    .replace(/\\([^\p{L}\p{N}\s])/gu, (_, sign) => escapeSign(sign))
    .replace(/(\*+(?=\S)|(?<=\S)\*+|__|~~|\|\||`)/g, '')
    .replace(/(^|[^\w])_(\S[^_]*)_(?!\w)/g, '$1$2')
    .replace(/[\uE000-\uE0FF]/g, (kept) => String.fromCharCode(kept.charCodeAt(0) - 0xe000))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Hides an escaped sign from the rules of formatting, in Unicode's private area; others stay as they are. */
const escapeSign = (sign) => (sign.charCodeAt(0) < 256 ? String.fromCharCode(sign.charCodeAt(0) + 0xe000) : sign);

// ---- Blocks: code, headings, subtext, quotes, lists; everything else is running text.

const LIST_ITEM = /^(\s*)([-*]|\d{1,9}\.) +(.*)$/;

function blocks(text, names) {
  const out = document.createDocumentFragment();
  let rest = text;
  for (let fence; (fence = /```(?:([\w+-]+)\n)?\n?([\s\S]+?)\n?```\n?/.exec(rest));) {
    lines(rest.slice(0, fence.index).replace(/\n$/, ''), names, out);
    out.append(
      h('pre', { class: 'code-block', tabindex: '0', 'data-language': fence[1] }, h('code', null, fence[2])),
    );
    rest = rest.slice(fence.index + fence[0].length);
  }
  lines(rest, names, out);
  return out;
}

function lines(text, names, out) {
  if (text === '') return;
  const todo = text.split('\n');
  let running = [];
  const flush = () => {
    if (running.length > 0) out.append(h('span', { class: 'text' }, inline(running.join('\n'), names)));
    running = [];
  };
  while (todo.length > 0) {
    const block = takeBlock(todo, names);
    if (!block) running.push(todo.shift());
    else {
      flush();
      out.append(block);
    }
  }
  flush();
}

/** Reads the block that starts at the first line, or returns nothing for running text. */
function takeBlock(todo, names) {
  const heading = /^(#{1,3}) +(\S.*)$/.exec(todo[0]);
  if (heading) {
    todo.shift();
    return h(`h${heading[1].length + 2}`, null, inline(heading[2], names));
  }
  const subtext = /^-# +(\S.*)$/.exec(todo[0]);
  if (subtext) {
    todo.shift();
    return h('small', { class: 'subtext' }, inline(subtext[1], names));
  }
  if (/^>>> /.test(todo[0])) return quote([todo[0].slice(4), ...todo.splice(0).slice(1)], names);
  if (/^> /.test(todo[0]))
    return quote(
      takeWhile(todo, (line) => /^> /.test(line)).map((line) => line.slice(2)),
      names,
    );
  if (LIST_ITEM.test(todo[0])) return list(todo, names);
  return null;
}

function takeWhile(todo, test) {
  const end = todo.findIndex((line) => !test(line));
  return todo.splice(0, end < 0 ? todo.length : end);
}

const quote = (inner, names) => h('blockquote', null, blocks(inner.join('\n'), names));

/** Reads the items of one list with their nested lists; a different marker begins another list. */
function list(todo, names) {
  const [, indent, mark] = LIST_ITEM.exec(todo[0]);
  const ordered = isNumber(mark);
  const node = h(ordered ? 'ol' : 'ul', ordered ? { start: String(Number.parseInt(mark, 10)) } : null);
  for (let next; (next = LIST_ITEM.exec(todo[0] ?? '')) && next[1].length >= indent.length;) {
    const deeper = next[1].length > indent.length;
    if (deeper) node.lastChild.append(list(todo, names));
    else if (isNumber(next[2]) !== ordered) break;
    else {
      todo.shift();
      node.append(h('li', null, inline(next[3], names)));
    }
  }
  return node;
}

const isNumber = (mark) => /\d/.test(mark);

// A short code, such as a move, stays on one line.
const SHORT_CODE = 24;
const inlineCode = (text) => h('code', { class: text.length <= SHORT_CODE ? 'short' : null }, text);

// ---- Inline: at each position the first matching rule wins.

const wrap = (tag, props) => (match, names) => h(tag, props, inline(match[1], names));

const RULES = [
  [/^\\([^\p{L}\p{N}\s])/u, (match) => match[1]],
  [/^``(.+?)``(?!`)/s, (match) => inlineCode(match[1].trim())],
  [/^`([^`\n]+)`/, (match) => inlineCode(match[1])],
  [/^\|\|([\s\S]+?)\|\|/, (match, names) => spoiler(inline(match[1], names))],
  [/^\*\*\*([\s\S]+?)\*\*\*(?!\*)/, (match, names) => h('strong', null, h('em', null, inline(match[1], names)))],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, wrap('strong')],
  [/^__([\s\S]+?)__(?!_)/, wrap('u')],
  [/^~~([\s\S]+?)~~/, wrap('s')],
  [/^\*(?!\s)((?:\*\*[\s\S]*?\*\*|[^*])+?)\*(?!\*)/, wrap('em')],
  [/^_(?!\s)((?:__[\s\S]*?__|[^_])+?)_(?![\w_])/, wrap('em')],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (match, names) => named(match[2], inline(match[1], names), names)],
  [/^<(https?:\/\/[^\s>]+)>/, (match, names) => bare(match[1], names)],
  [/^https?:\/\/[^\s<>]*[^\s<>.,:;"')\]]/, (match, names) => bare(match[0], names)],
  [/^<@!?(\d+)>/, (match, names) => mention('@', match[1], names.user(match[1]), names.onUser)],
  [/^<#(\d+)>/, (match, names) => mention('#', match[1], names.channel(match[1]), () => names.onPlace(match[1]))],
  [/^<@&(\d+)>/, (match, names) => mention('@', match[1], names.role(match[1]))],
  [/^<\/([\w -]+):(\d+)>/, (match, names) => mention('/', match[1], match[1], names.onCommand)],
  [/^@(everyone|here)\b/, (match) => h('span', { class: 'mention' }, match[0])],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, (match) => timestamp(Number(match[1]), match[2])],
  [/^<a?:(\w+):\d+>/, (match) => h('span', { class: 'custom-emoji' }, `:${match[1]}:`)],
];

// The positions where a rule can begin; a word is skipped in one step, so "snake_case_word" is no emphasis.
const PASS = /^(?:[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*(?=_*[^\p{L}\p{N}_]|_*$)|[^\\`|*_~[<@\p{L}\p{N}]+)/u;

function inline(text, names) {
  const out = [];
  let rest = text;
  while (rest !== '') {
    const [node, length] = step(rest, names);
    if (typeof node === 'string' && typeof out.at(-1) === 'string') out[out.length - 1] += node;
    else out.push(node);
    rest = rest.slice(length);
  }
  return out;
}

function step(rest, names) {
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(rest);
    if (match) return [make(match, names), match[0].length];
  }
  const passed = PASS.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0));
  return [passed, passed.length];
}

function link(href, label) {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer', title: href }, label);
}

// Discord opens addresses of its channels and messages within the client; this page does so for those it
// knows.
const PLACE = /^https:\/\/discord\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?$/;

/** Returns the channel, its name and the message of an address, or null if it is not in this playground. */
function placeOf(href, names) {
  const [, channel, message] = PLACE.exec(href) ?? [];
  const name = channel ? names.channel(channel) : null;
  return name ? { channel, message, name } : null;
}

const placeLabel = (place) => (place ? `#${place.name}${place.message ? ' › 💬' : ''}` : null);

/** A plain address, which Discord shows as a mention of the channel. */
function bare(href, names) {
  const place = placeOf(href, names);
  if (!place) return link(href, href);
  return mention('', place.channel, placeLabel(place), () => names.onPlace(place.channel, place.message));
}

/** An address with a link text. */
function named(href, label, names) {
  const place = placeOf(href, names);
  if (!place) return link(href, label);
  const open = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    names.onPlace(place.channel, place.message);
  };
  return h('a', { href: channelUrl(place.channel), title: href, onclick: open }, label);
}

function mention(sign, id, name, onClick) {
  const label = name ? `${sign}${name}` : `${sign}unknown`;
  if (!name || !onClick) return h('span', { class: 'mention' }, label);
  return h(
    'button',
    { class: 'mention', type: 'button', 'data-id': id, onclick: (event) => onClick(id, event) },
    label,
  );
}

function spoiler(children) {
  const show = (event) => {
    if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
    event.currentTarget.classList.add('shown');
    event.currentTarget.removeAttribute('role');
    event.currentTarget.removeAttribute('aria-label');
  };
  const props = { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': 'Spoiler, press to show' };
  return h('span', { ...props, onclick: show, onkeydown: show }, h('span', null, children));
}

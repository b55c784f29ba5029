// Times as chats show them, and Discord's <t:seconds:style> timestamps, which are updated while the page is
// open.
import { h } from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: '2-digit', month: '2-digit', year: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const dayNumber = (date) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);

/** "14:03". */
export const shortTime = (iso) => clock.format(new Date(iso));

/** "Friday, 20 November 2026 14:03", for tooltips. */
export const fullTime = (iso) => `${weekday.format(new Date(iso))} ${clock.format(new Date(iso))}`;

/** "20 November 2026", for the line between two days. */
export const dayLabel = (iso) => day.format(new Date(iso));

/** Whether two times are on different days in the local time zone. */
export const otherDay = (a, b) => dayNumber(new Date(a)) !== dayNumber(new Date(b));

/** "Today at 14:03", "Yesterday at 14:03", or the date. */
export function stamp(iso) {
  const date = new Date(iso);
  const days = dayNumber(new Date()) - dayNumber(date);
  if (days === 0) return `Today at ${clock.format(date)}`;
  if (days === 1) return `Yesterday at ${clock.format(date)}`;
  return `${shortDay.format(date)} ${clock.format(date)}`;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** "in 3 hours", "2 minutes ago". */
function relative(seconds, now = Date.now() / 1000) {
  const distance = seconds - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? UNITS.at(-1);
  return ago.format(Math.round(distance / length), unit);
}

const STYLES = {
  t: (date) => clock.format(date),
  T: (date) => clockSeconds.format(date),
  d: (date) => shortDay.format(date),
  D: (date) => day.format(date),
  f: (date) => `${day.format(date)} ${clock.format(date)}`,
  F: (date) => `${weekday.format(date)} ${clock.format(date)}`,
};

/** The element for <t:seconds:style>; style R is kept current by `tick`. */
export function timestamp(seconds, style = 'f') {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return h('span', { class: 'stamp' }, 'Invalid date');
  const text = style === 'R' ? relative(seconds) : (STYLES[style] ?? STYLES.f)(date);
  const live = style === 'R' ? String(seconds) : null;
  return h(
    'time',
    { class: 'stamp', datetime: date.toISOString(), title: fullTime(date), 'data-relative': live },
    text,
  );
}

/** Updates every relative timestamp on the page; the app calls it once a second. */
export function tick(root = document) {
  for (const node of root.querySelectorAll('time[data-relative]')) {
    const text = relative(Number(node.dataset.relative));
    if (node.textContent !== text) node.textContent = text;
  }
}

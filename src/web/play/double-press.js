// The second press of a double press is meant for the button of the first one, not for what has taken its place since.

import { windowStorage } from './storage.js';

/** For how long, and within how many pixels, presses belong to a double press. */
const DOUBLE_MS = 350;
const NEAR_PX = 40;
/** Where the latest press is kept, also for the page that it leads to. */
const PLACE = 'rookery-press';

/** The element that was pressed last on this page. */
let latest = null;
/** When the second press of a double press was, on this page. */
let second = 0;

/** Ignores the second press of a double press on something else, and what a key that is held down repeats. */
export function ignoreDoublePresses() {
  addEventListener('click', pressed, { capture: true });
  addEventListener('keydown', repeated, { capture: true });
  const { at } = before();
  if (isRecent(at)) mark(at);
}

function pressed(event) {
  const button = event.target.closest('button, a, summary');
  const element = button ?? event.target;
  const now = { at: Date.now(), x: event.clientX, y: event.clientY, byKey: event.detail === 0, what: nameOf(element) };
  const last = before();
  if (isRecent(last.at) && isNear(last, now)) second = now.at;
  const isIgnored = button && isRecent(last.at) && now.what !== last.what && isNear(last, now) && !stays(last);
  if (isIgnored) {
    event.preventDefault();
    event.stopImmediatePropagation();
    now.what = last.what;
  } else {
    latest = element;
  }
  windowStorage.set(PLACE, JSON.stringify(now));
  mark(now.at);
}

/** Whether the latest press is the second one of a double press at the same place. */
export function isDoublePress() {
  return isRecent(second);
}

function repeated(event) {
  if (!event.repeat || !['Enter', ' '].includes(event.key) || !event.target.closest('button, a, summary, #cells')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** What tells a button apart from others, also when it was made anew. */
function nameOf({ tagName, id, dataset, textContent, ariaLabel, childElementCount }) {
  return [tagName, id, ariaLabel, JSON.stringify(dataset), childElementCount < 9 ? textContent.slice(0, 99) : ''].join(' ');
}

/** The latest press, also of the page before. */
function before() {
  return JSON.parse(windowStorage.get(PLACE)) ?? { at: 0 };
}

function isRecent(at) {
  const age = Date.now() - at;
  return age >= 0 && age < DOUBLE_MS;
}

/** A key presses what has the focus, which may have moved. */
function isNear(last, now) {
  return last.byKey && now.byKey ? true : Math.hypot(now.x - last.x, now.y - last.y) < NEAR_PX;
}

/** Whether what was pressed last is still where it was. */
function stays(last) {
  if (!latest?.isConnected) return false;
  return last.byKey || latest.contains(document.elementFromPoint(last.x, last.y));
}

/** Marks the page while a press may belong to a double press, for tests, which press faster than people. */
function mark(at) {
  const page = document.documentElement;
  page.dataset.pressed = at;
  setTimeout(() => page.dataset.pressed === String(at) && delete page.dataset.pressed, DOUBLE_MS);
}

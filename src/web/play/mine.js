// The list of one's own games. It follows the games, and a key opens the next one that waits.

import { $, h, isCommand, notice, say } from './dom.js';
import { Live } from './live.js';

const { viewer, words } = JSON.parse($('data').textContent);
const main = document.querySelector('main');

const live = new Live({
  events: () => '/play/events',
  state: `/play/list?viewer=${viewer}`,
  words,
  isNew: (digest) => digest !== main.dataset.digest,
  take,
  isSending: () => false,
  signedOut,
});

/** Shows another state of the list. What hasn't changed stays, and so do the focus and the place that was scrolled to. */
function take({ digest, title, games }) {
  const before = new Set(waiting().map(({ dataset }) => dataset.key));
  const { key } = document.activeElement.dataset;
  const place = [scrollX, scrollY];
  const next = h('main');
  next.innerHTML = games;
  update(main, next);
  main.dataset.digest = digest;
  document.title = title;
  if (key && document.activeElement === document.body) {
    main.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }
  scrollTo(...place);
  const news = waiting().filter(({ dataset }) => !before.has(dataset.key));
  if (news.length > 0) say(news.map(spoken).join('. '));
}

/** Replaces the children of an element that differ from those of another one. Lists are compared by their items. */
function update(element, next) {
  const old = [...element.children];
  const children = [...next.children].map((child) => {
    const same = old.find((one) => one.isEqualNode(child));
    if (same) return same;
    const list = child.id && old.find(({ id }) => id === child.id);
    if (!list) return child;
    update(list, child);
    return list;
  });
  if (children.length !== old.length || children.some((child, at) => child !== old[at])) element.replaceChildren(...children);
}

/** The links to the games that wait for the person. */
function waiting() {
  return [...main.querySelectorAll('.waits a')];
}

/** Says what a link says, without its board. */
function spoken(link) {
  return [...link.querySelectorAll('strong, .against, .turn')].map((part) => part.textContent).join(', ');
}

/** The list stays as it is: the person is signed out, or another person is signed in here. */
function signedOut(said, isOther) {
  notice(said ?? words['signed-out'], true);
  if (isOther) $('notice').append(' ', h('button', { type: 'button', id: 'reload', onclick: () => location.reload() }, words.reload));
}

function keys(event) {
  const next = waiting()[0];
  if (event.key !== 'n' || isCommand(event) || !next) return;
  event.preventDefault();
  location.assign(next.href);
}

live.listen();
addEventListener('keydown', keys);
addEventListener('online', () => live.refresh());
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && live.refresh());
document.body.dataset.ready = 'true';

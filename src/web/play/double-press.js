// The second press of a double press is meant for the button of the first one, not for what has taken its place since.

/** For how long, and within how many pixels, presses belong to a double press. */
const DOUBLE_MS = 400;
const NEAR_PX = 40;
/** Where the latest press is kept, also for the page that it leads to. */
const PLACE = 'rookery-press';

/** Ignores the second press of a double press on something else. */
export function ignoreDoublePresses() {
  addEventListener('click', pressed, { capture: true });
}

function pressed(event) {
  const button = event.target.closest('button, a, summary');
  // Keys move on to another button only by another key.
  if (!button || event.detail === 0) return;
  const what = `${button.id} ${button.textContent}`;
  const now = { at: Date.now(), x: event.clientX, y: event.clientY, what };
  const before = JSON.parse(sessionStorage.getItem(PLACE)) ?? { at: 0 };
  const isNear = Math.hypot(now.x - before.x, now.y - before.y) < NEAR_PX;
  if (now.at - before.at < DOUBLE_MS && isNear && now.what !== before.what) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  sessionStorage.setItem(PLACE, JSON.stringify(now));
  const page = document.documentElement;
  page.dataset.pressed = now.at;
  setTimeout(() => page.dataset.pressed === String(now.at) && delete page.dataset.pressed, DOUBLE_MS);
}

// Follows what the person has just done, by a press, a command or a message: the answer is scrolled into view, and the
// focus goes where the answer is.
import { focusAnswer, inView } from './focus.js';
import { isThread, LOADING } from './store.js';

const FOLLOW_MS = 20_000;
// An answer that says "thinking" may take as long as the interaction lives.
const THINKING_MS = 15 * 60_000;
const GAP = 8;

// If not everything fits into the window, a message in a thread that calls this person (their turn, a result) is shown
// rather than the answer, that rather than what else came, and that rather than the message that was pressed.
const PRESSED = 1;
const OTHER = 2;
const ANSWER = 3;
const CALLED = 4;

export class Follow {
  constructor(app, scroller, list) {
    Object.assign(this, { app, scroller, list });
    this.until = 0;
    this.pressed = null;
    this.release();
    // A person who scrolls wants to see something else.
    for (const name of ['wheel', 'touchmove']) scroller.addEventListener(name, () => this.stop(), { passive: true });
    for (const name of ['pointerdown', 'keydown']) scroller.addEventListener(name, () => this.release());
    app.store.on('acts', (act) => this.begin(act));
  }

  begin({ channelId, messageId = null }) {
    if (channelId !== this.app.store.currentId) return;
    this.release();
    this.until = Date.now() + FOLLOW_MS;
    this.pressed = messageId;
  }

  stop() {
    this.until = 0;
    this.release();
  }

  release() {
    this.target = null;
    this.weight = 0;
    // The element that got the focus from here; null once the person has moved it.
    this.placed = null;
  }

  get active() {
    return Date.now() < this.until;
  }

  /** Whether something is held in view; the feed then does not scroll to its end. */
  get holds() {
    return Boolean(this.target?.isConnected);
  }

  /** Whether the newest message is held in view, so that there is nothing newer to jump to. */
  get holdsLast() {
    return this.holds && !this.target.nextElementSibling;
  }

  /** Handles a new message of the open channel, whose node is `node`. */
  arrived(message, node) {
    if (!node) return;
    const answer = this.app.interactions.answers(message);
    const called = node.classList.contains('called') && isThread(this.app.store.current);
    if (!this.active) {
      // A person who looks at the end of a thread sees all of the next board.
      const atEnd = this.app.feed.stick || (this.holds && this.target === node.previousElementSibling);
      if (!called || !atEnd) return;
      this.release();
    }
    this.show(node, called ? CALLED : answer ? ANSWER : OTHER);
    if (answer && (message.flags ?? 0) & LOADING) this.until = Date.now() + THINKING_MS;
    if (answer && this.mayFocus()) this.focus(node);
    this.keepFocusInView();
  }

  /** Handles the edit of a message: of the pressed one, or of an answer that was still to come. */
  edited(message, node, wasLoading) {
    const answer = wasLoading && this.app.interactions.answers(message);
    if (!node || !this.active || !(answer || message.id === this.pressed)) return;
    this.show(node, answer ? ANSWER : PRESSED);
    if (answer) this.until = Date.now() + FOLLOW_MS;
    if (answer && this.mayFocus()) this.focus(node);
    this.keepFocusInView();
  }

  /** Handles the new rendering of a message; `placed` is what got the focus there instead of what had it. */
  replaced(old, next, placed) {
    if (this.target === old) this.target = next;
    if (placed && this.active) this.placed = placed;
  }

  show(node, weight) {
    if (weight >= this.weight) Object.assign(this, { target: node, weight });
    this.settle();
  }

  /** Scrolls so that the target is visible: all of it, or its beginning. */
  settle() {
    const { scroller, target } = this;
    if (!this.holds) return;
    const frame = scroller.getBoundingClientRect();
    const box = target.getBoundingClientRect();
    const inside = box.top >= frame.top && box.bottom <= frame.bottom;
    // What was pressed stays where it is while it can be seen.
    if (this.weight === PRESSED && inside) return;
    const top = box.top - frame.top + scroller.scrollTop - GAP;
    const end = scroller.scrollHeight - scroller.clientHeight;
    const low = box.bottom - frame.top + scroller.scrollTop + GAP - scroller.clientHeight;
    const near = this.weight === PRESSED && box.top >= frame.top ? low : top;
    scroller.scrollTop = Math.min(near, top, end);
  }

  // ---- Focus

  /** The focus moves only from the feed: a person who is writing keeps it. */
  mayFocus() {
    const focused = document.activeElement;
    return focused === document.body || this.list.contains(focused);
  }

  focus(node) {
    this.app.feed.setTabStop(node);
    this.placed = focusAnswer(node, this.scroller);
  }

  /** A focus that lies out of view would let Enter press what nobody sees. */
  keepFocusInView() {
    const focused = document.activeElement;
    if (!this.holds || !this.list.contains(focused) || inView(focused, this.scroller)) return;
    if (this.target.contains(focused) && focused !== this.placed) {
      // A person at the keyboard chose it, and must see it.
      if (focused.matches(':focus-visible')) focused.scrollIntoView({ block: 'nearest' });
      return;
    }
    this.app.feed.setTabStop(this.target);
    this.target.focus({ preventScroll: true });
    this.placed = this.target;
  }
}

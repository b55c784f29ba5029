// Drags by a mouse or a finger.

const DRAG_PX = 8;
/** How long a finger rests until it can drag. One that moves on sooner scrolls the page. */
const HOLD_MS = 250;

/**
 * Follows the pointer of a `pointerdown` event. `begins()` is called when it drags, `moves(now, dx, dy)` at each of its places
 * from then on, and `ends(now)` after the drag, with the event that ended it.
 */
export function drag(event, { begins, moves, ends }) {
  const start = { x: event.clientX, y: event.clientY };
  const isFinger = event.pointerType === 'touch';
  let isDragging = false;
  const move = (now) => {
    if (now.pointerId !== event.pointerId) return;
    const [dx, dy] = [now.clientX - start.x, now.clientY - start.y];
    if (!isDragging && Math.hypot(dx, dy) < DRAG_PX) return;
    if (isFinger && !isDragging && now.timeStamp - event.timeStamp < HOLD_MS) return leave();
    if (!isDragging) begins();
    isDragging = true;
    moves(now, dx, dy);
    now.preventDefault();
  };
  // A finger that has rested drags, so the page doesn't scroll.
  const still = (now) => now.timeStamp - event.timeStamp >= HOLD_MS && now.cancelable && now.preventDefault();
  const leave = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    removeEventListener('touchmove', still);
  };
  const end = (now) => {
    if (now.pointerId !== event.pointerId) return;
    leave();
    if (isDragging) ends(now);
  };
  addEventListener('pointermove', move, { passive: false });
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
  if (isFinger) addEventListener('touchmove', still, { passive: false });
}

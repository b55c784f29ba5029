// Keys that follow the links between positions.

const KEYS = { ',': 'step-back', '.': 'step-on', '[': 'first', ']': 'last', ArrowLeft: 'step-back', ArrowRight: 'step-on', Home: 'first', End: 'last' };

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('pre')) return;
  const link = document.getElementById(KEYS[event.key]);
  if (link?.tagName !== 'A') return;
  event.preventDefault();
  // The position is no new entry of the history: back leads to where the reader came from.
  location.replace(link.href);
});

// Small helpers for the elements of the page.

export const $ = (id) => document.getElementById(id);

/** Makes an element; `onclick` is its listener, `true` an attribute without a value. */
export const h = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

/** An arrow in a direction, in eighths clockwise from up. */
export const arrow = (heading) => {
  const made = h('span', { class: 'arrow', 'aria-hidden': 'true' }, '↑');
  made.style.transform = `rotate(${heading * 45}deg)`;
  return made;
};

/** Shows times in the person's own time zone. */
export const local = (text) =>
  text.replace(/<t:(-?\d+)>/g, (_, seconds) =>
    new Date(Number(seconds) * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }));

/** The parts of a sentence whose moves aren't broken. */
export const unbroken = (text) =>
  text.split(/(\S*\d[-/]\S*)/).map((part, at) => (at % 2 ? h('span', { class: 'move' }, part) : part));

/** Tells screen readers something. */
export const say = (text) => {
  if ($('live').textContent !== text) $('live').textContent = text;
};

export const notice = (text, wrong = false) => {
  $('notice').replaceChildren(...unbroken(local(text ?? '')));
  $('notice').classList.toggle('wrong', wrong);
};

/** Removes what was refused or went wrong, once it's out of date. */
export const clearRefusal = () => {
  if ($('notice').classList.contains('wrong')) notice('');
};

/** Fills the gaps of a sentence: `{move}`. */
export const fill = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? '');

/** Whether a key is held with others, which makes it a command of the browser. */
export const isCommand = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** Makes the id of an order. Without https a browser has no `randomUUID`. */
export const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Replaces the children of an element, and keeps the focus on the one with the same `data-key`. */
export const replace = (parent, children) => {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children);
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
};

// People: their avatars, and the dialog for choosing the tab's person.
import { addUser, listUsers } from './api.js';
import { h, arrowKeys, fill, toast } from './dom.js';
import { icon } from './icons.js';
import { openDialog } from './popup.js';
import { personUrl } from './route.js';
import { nameOf } from './store.js';

const HUES = [212, 262, 322, 352, 18, 42, 142, 176];

/** A round avatar: initials on a colour derived from the id; bots have a rook. */
export function avatar(user, size = 40) {
  const node = h(
    'span',
    { class: 'avatar', 'aria-hidden': 'true', 'data-initials': user?.bot ? null : initials(nameOf(user)) },
    user?.bot ? icon('rook', Math.round(size * 0.62)) : null,
  );
  node.style.setProperty('--size', `${size}px`);
  node.style.setProperty('--hue', String(hueOf(user)));
  return node;
}

/** Returns a colour derived from the id; neighbouring ids get different ones. */
function hueOf(user) {
  if (user?.bot) return 230;
  const id = BigInt(user?.id ?? 0);
  return HUES[Number(((id >> 22n) + (id & 0xfffn)) % BigInt(HUES.length))];
}

/** Returns the first letters of up to two words. */
export function initials(name) {
  return (
    name
      .split(/[\s_.-]+/)
      .filter(Boolean)
      .slice(0, 2)
      .map((word) => [...word][0].toUpperCase())
      .join('') || '?'
  );
}

/** The BOT badge after a bot's name. */
export const botTag = (user) => (user?.bot ? h('span', { class: 'tag' }, 'BOT') : null);

/** Lets the user of this tab switch to another person; each choice is a link, so a second tab can open it as well. */
export async function choosePerson(meId) {
  const dialog = openDialog({ title: 'Who are you?', testid: 'person-dialog', className: 'narrow' });
  const list = h('div', { class: 'person-list' }, 'Loading…');
  arrowKeys(list, 'a');
  fill(
    dialog.body,
    h('p', { class: 'hint' }, 'Each tab is one person. Open a name in a new tab to play against yourself.'),
    list,
    addForm(),
  );
  try {
    fill(
      list,
      (await listUsers()).map((user) => personLink(user, meId)),
    );
    list.querySelector('a')?.focus();
  } catch (error) {
    fill(list, error.message);
  }
}

function personLink(user, meId) {
  const here = user.id === meId;
  return h(
    'a',
    {
      class: 'person',
      href: personUrl(user.id),
      'aria-current': here ? 'true' : null,
      'data-testid': 'person-option',
      'data-user-id': user.id,
    },
    avatar(user, 32),
    h('span', { class: 'person-name' }, nameOf(user), h('small', null, `@${user.username}`)),
    here ? h('span', { class: 'here' }, 'you') : null,
  );
}

function addForm() {
  const input = h('input', {
    type: 'text',
    name: 'name',
    maxlength: '32',
    required: true,
    placeholder: 'Name of a new person',
    'aria-label': 'Name of a new person',
    'data-testid': 'person-name',
  });
  const add = async (event) => {
    event.preventDefault();
    try {
      const user = await addUser(input.value.trim());
      location.assign(personUrl(user.id));
    } catch (error) {
      toast(error.message, 'danger');
    }
  };
  return h(
    'form',
    { class: 'add-person', onsubmit: add },
    input,
    h('button', { class: 'button primary', type: 'submit', 'data-testid': 'person-add' }, 'Add'),
  );
}

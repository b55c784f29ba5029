// The shell of the frame inside Discord: signs the person in, and holds the pages in a frame of its own, so that the
// connection to Discord stays when one page leads to another.

import { $, fill, h } from './dom.js';
import { Embedded, NORMAL } from './embedded.js';
import { windowStorage } from './storage.js';

const data = JSON.parse($('data').textContent);
const { application, parents, site, words } = data;
const query = new URLSearchParams(location.search);
// A reload keeps it; what is opened anew has another one.
const frame = query.get('frame_id');
const isMobile = query.get('platform') === 'mobile';

const KEPT = 'rookery-frame';
// The person may read Discord's question for a while.
const CONSENT_MS = 10 * 60_000;
// A page that is signed out right after signing in gets no cookie.
const SOON_MS = 10_000;
const OAUTH2_ERROR = 5000;
const INVALID_PAYLOAD = 4000;
const FOCUSED = 0;
const PORTRAIT = 2;
const MAX_NAMES = 4;

const inner = $('inner');
let signedInAt = -Infinity;
let wanted = '/play';
let layout = FOCUSED;

const discord = new Embedded({ application, frame, parents, closed });

// --- What the shell shows

/** Shows a sentence instead of the pages, with buttons. */
function show(said, ...buttons) {
  inner.hidden = true;
  $('status').hidden = false;
  $('said').textContent = said;
  $('buttons').replaceChildren(...buttons);
  document.body.dataset.frame = buttons.length > 0 ? 'stopped' : 'busy';
}

const again = (onclick) => h('button', { class: 'primary', id: 'again', onclick }, words.again);
const browser = () => h('button', { id: 'browser', onclick: () => leave(`${site}${wanted}`) }, words.browser);

/** Discord has ended the frame: without a fault there is nothing to say, because it goes away. */
function closed(code, message) {
  if (code === NORMAL) return show(words.closed);
  show(message ? fill(words['closed-why'], { why: message }) : words.closed);
}

/** Ends the frame, as the person wants. */
const end = () => discord.close(NORMAL, '');

/** Follows a link to another site, which Discord opens outside of the frame. */
async function leave(url) {
  try {
    await discord.command('OPEN_EXTERNAL_LINK', { url }, CONSENT_MS);
  } catch {
    // The person sees that nothing opened, and can press again.
  }
}

// --- Signing in

async function begin() {
  show(words.connecting);
  try {
    await discord.begin();
  } catch {
    return show(words['no-discord'], again(() => location.reload()));
  }
  listen();
  return signIn();
}

/** Signs in anew each time: Discord knows who is at the client now, and asks the person only once. */
async function signIn() {
  show(words['signing-in']);
  const asked = { client_id: application, response_type: 'code', state: '', prompt: 'none', scope: ['identify'] };
  let code = null;
  try {
    ({ code } = await discord.command('AUTHORIZE', asked, CONSENT_MS));
  } catch (error) {
    if (error.code !== OAUTH2_ERROR) return show(words.refused, again(signIn));
    return show(words.cancelled, again(signIn), h('button', { id: 'leave', onclick: end }, words.leave));
  }
  const answer = await exchange(code);
  if (!answer?.ok) {
    const said = (await answer?.json().catch(() => null))?.said;
    return show(said ?? words.lost, again(signIn));
  }
  const { to, asked: launch, access_token: token } = await answer.json();
  signedInAt = performance.now();
  open(place(to, launch));
  return present(token);
}

async function exchange(code) {
  try {
    return await fetch('/frame/session', { method: 'POST', headers: { 'x-rookery-code': code } });
  } catch {
    return null;
  }
}

/** Tells Discord who is signed in; without it the pages work all the same. */
async function present(token) {
  try {
    await discord.command('AUTHENTICATE', { access_token: token });
    document.body.dataset.authenticated = 'true';
  } catch (error) {
    console.warn('Discord did not take the access token', error.code);
  }
}

/** Returns the page to open: one that was asked for just now, or else the one that was open before a reload. */
function place(to, launch) {
  const kept = recall();
  const isNew = launch !== null && launch !== kept?.launch;
  const path = !isNew && kept?.frame === frame ? kept.path : to;
  keep({ frame, launch: launch ?? kept?.launch ?? null, path });
  return path;
}

function recall() {
  return JSON.parse(windowStorage.get(KEPT));
}

function keep(value) {
  windowStorage.set(KEPT, JSON.stringify(value));
}

// --- The pages

function open(path) {
  wanted = path;
  show(words.opening);
  // Another entry in the history would be one that nobody asked for.
  inner.contentWindow.location.replace(path);
}

/** A page has loaded in the inner frame. */
async function loaded() {
  const page = inner.contentDocument;
  if (page?.URL === 'about:blank') return null;
  const isOwn = page?.querySelector('main') !== null && page !== null;
  if (!isOwn) return missing();
  if (page.getElementById('signed-out')) return signedOut();
  const { pathname, search } = inner.contentWindow.location;
  wanted = pathname + search;
  keep({ ...recall(), frame, path: wanted });
  $('status').hidden = true;
  inner.hidden = false;
  document.body.dataset.frame = 'open';
  page.addEventListener('click', outwards, true);
  arrange();
  return inner.focus();
}

/** Finds out why a page could not be shown. */
async function missing() {
  const answer = await fetch(wanted, { cache: 'no-store' }).catch(() => null);
  if (answer?.status === 401) return signedOut();
  return show(answer?.ok ? words['not-opened'] : words.lost, again(() => open(wanted)));
}

function signedOut() {
  if (performance.now() - signedInAt > SOON_MS) return signIn();
  return show(words['no-cookies'], again(signIn), browser());
}

/** Links that lead to another site would be blocked in the frame. */
function outwards(event) {
  const link = event.target.closest?.('a[href]');
  if (!link || link.origin === location.origin) return;
  event.preventDefault();
  leave(link.href);
}

// --- What Discord tells

function listen() {
  const subscribe = (event, listener) =>
    discord.subscribe(event, listener).catch((error) => console.warn('Discord has no', event, error.code));
  subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', ({ layout_mode: mode }) => {
    layout = mode;
    arrange();
  });
  subscribe('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', ({ participants }) => showPeople(participants));
  discord
    .command('GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS')
    .then(({ participants }) => showPeople(participants))
    .catch((error) => console.warn('Discord does not say who is here', error.code));
  if (isMobile) lockOrientation().catch((error) => console.warn('the screen may turn', error.code));
}

/** Keeps the phone upright: on its side the board would be small. */
async function lockOrientation() {
  const lock = { lock_state: PORTRAIT, picture_in_picture_lock_state: PORTRAIT };
  try {
    await discord.command('SET_ORIENTATION_LOCK_STATE', { ...lock, grid_lock_state: PORTRAIT });
  } catch (error) {
    // Older clients know no grid.
    if (error.code !== INVALID_PAYLOAD) throw error;
    await discord.command('SET_ORIENTATION_LOCK_STATE', lock);
  }
}

/** In a small frame only the board is shown. */
function arrange() {
  const isSmall = layout !== FOCUSED;
  document.body.classList.toggle('compact', isSmall);
  inner.contentDocument?.body?.classList.toggle('compact', isSmall);
}

/** Says who is in this instance, if anybody else is. */
function showPeople(participants) {
  if (!Array.isArray(participants)) return;
  const people = new Map(participants.filter((it) => !it.bot).map((it) => [it.id, it]));
  const names = [...people.values()].map((it) => it.nickname ?? it.global_name ?? it.username).sort();
  const more = names.length - MAX_NAMES;
  const listed = more > 1 ? [...names.slice(0, MAX_NAMES), fill(words.more, { count: more })] : names;
  $('here').hidden = names.length < 2;
  const list = new Intl.ListFormat(document.documentElement.lang).format(listed);
  $('here').textContent = fill(words.here, { names: list });
}

inner.addEventListener('load', loaded);
begin();

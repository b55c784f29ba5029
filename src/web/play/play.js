// A page on which a person plays. The server sends the whole state of the table; this script shows it, lets a move be
// chosen on the board, and sends orders. An order keeps its id until it is answered, so that none is lost or given twice.

import { Board } from './board.js';
import { buttons, choices, isWhole, lastCell, targets, withForced } from './moves.js';

const data = JSON.parse(document.getElementById('data').textContent);
const { table, game, token, words } = data;
const $ = (id) => document.getElementById(id);
const PENDING = `rookery-order-${table}`;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

let state = null;
let taken = [];
let shown = '';
let skew = 0;
const drawings = new Map();

const board = new Board($('frame'), { touched, dropped, back });

// --- Small helpers

const h = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

/** Shows times in the person's own time zone. */
const local = (text) =>
  text.replace(/<t:(-?\d+)>/g, (_, seconds) =>
    new Date(Number(seconds) * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }));

const say = (text) => {
  if ($('live').textContent !== text) $('live').textContent = text;
};

const notice = (text, wrong = false) => {
  $('notice').textContent = local(text ?? '');
  $('notice').classList.toggle('wrong', wrong);
};

// --- What the table looks like

/** Takes a state from the server, unless a later one is here already. */
function take(next) {
  if (state && (next.entry < state.entry)) return;
  const first = state === null;
  const [moved, before] = [!first && next.ply !== state.ply, state];
  if (first || next.ply !== state.ply || !next.mine) taken = [];
  if (moved) drawings.clear();
  state = next;
  skew = Date.now() - state.now_ms;
  showBoard(!first);
  showPlayers();
  showPanel();
  tick();
  if (moved) say([state.played, state.headline].join('. '));
  else if (before && before.headline !== state.headline) say(state.headline);
  document.title = `${state.mine ? `● ${words['your-turn-title']} · ` : ''}${game} ${table} · Rookery`;
}

function showBoard(glides) {
  const key = taken.join('~');
  const drawing = taken.length === 0 ? state.board : drawings.get(key);
  if (drawing && drawing !== shown) {
    board.draw(drawing, glides, state.marks);
    shown = drawing;
  } else if (!drawing) {
    fetchDrawing(key);
  }
  if (state.cells.length > 0) board.lay(state.cells, state.corners);
  mark();
}

/** Fetches the board after the steps of a half-made move. */
async function fetchDrawing(key) {
  const ply = state.ply;
  try {
    const answer = await fetch(`/play/${table}/after?ply=${ply}&steps=${encodeURIComponent(key)}`);
    if (!answer.ok) return;
    const { board: drawing } = await answer.json();
    if (ply !== state.ply) return;
    drawings.set(key, drawing);
    if (taken.join('~') === key) showBoard(true);
  } catch {
    // The marks show what was chosen; the drawing comes with the move.
  }
}

function mark() {
  if (!board.overlay) return;
  const chosen = new Set(chosenCells());
  const next = able();
  const goals = new Set(taken.length > 0 || !startsWithPieces() ? next.keys() : []);
  const first = new Set(taken.length > 0 ? firstCells().keys() : next.keys());
  board.mark({
    able: first,
    chosen,
    goals,
    next: new Set(next.keys()),
    label: (at) => {
      const cell = state.cells[at];
      const more = chosen.has(at) ? words.chosen : next.has(at) ? words['can-choose'] : null;
      return [`${cell.name}: ${cell.has}`, more].filter(Boolean).join(', ');
    },
  });
}

const origin = () => lastCell(state.steps, taken);
const able = () => (state.mine ? targets(state.steps, taken, origin(), state.cells) : new Map());
const firstCells = () => (state.mine ? targets(state.steps, [], null, state.cells) : new Map());
/** Whether a move begins with a piece on the board, rather than with an empty cell. */
const startsWithPieces = () => choices(state.steps, []).some((choice) => choice.after);

function chosenCells() {
  const cells = [];
  for (let many = 1; many <= taken.length; many++) {
    const cell = lastCell(state.steps, taken.slice(0, many));
    if (cell !== null) cells.push(cell);
  }
  return cells;
}

// --- Choosing a move

function touched(at) {
  if (!state.mine) return;
  const next = able();
  if (next.has(at)) return mean(next.get(at));
  const chosen = chosenCells();
  if (chosen.at(-1) === at) return back();
  const first = firstCells();
  if (first.has(at)) {
    taken = [];
    return mean(first.get(at));
  }
  board.refuse(at);
}

/** Takes the steps that a touch means; asks if it can mean several. */
function mean(meanings) {
  if (meanings.length === 1) return choose(meanings[0]);
  const names = new Map(choices(state.steps, taken).map((choice) => [choice.text, choice.label]));
  const button = (steps) => h('button', { class: 'primary', 'data-step': steps[0], onclick: () => choose(steps) }, names.get(steps[0]));
  $('choices').replaceChildren(...meanings.map(button), h('button', { id: 'back', onclick: showChoices }, words.back));
  document.body.dataset.now += '?';
  if (document.activeElement?.closest?.('#cells')) $('choices').firstChild.focus();
}

/** A piece is dragged (`to` is null while it begins), or dropped on a cell; returns whether it can go there. */
function dropped(from, to) {
  if (to === null) {
    if (chosenCells().at(-1) !== from) touched(from);
    return true;
  }
  const goes = to !== from && able().has(to);
  if (goes) touched(to);
  return goes;
}

function choose(steps) {
  taken = withForced(state.steps, [...taken, ...steps]);
  notice('');
  if (isWhole(state.steps, taken) && !state.confirms) return play();
  showBoard(true);
  showChoices();
  const text = taken.join('');
  say(isWhole(state.steps, taken) ? words.confirm.replace('{move}', text) : text);
}

/** Takes the last choice back. */
function back() {
  if (taken.length === 0) return;
  do taken.pop();
  while (taken.length > 0 && choices(state.steps, taken).length === 1 && (choices(state.steps, taken)[0].cell ?? null) === null);
  showBoard(true);
  showChoices();
  say(taken.length > 0 ? taken.join('') : state.headline);
}

function play() {
  const text = taken.join('');
  send(`kind=move&ply=${state.ply}&text=${encodeURIComponent(text)}`);
}

// --- The panel beside the board

function showPanel() {
  $('headline').textContent = local(state.headline);
  $('headline').classList.toggle('mine', state.mine);
  $('played').textContent = state.played;
  $('notes').replaceChildren(...state.notes.map((note) => h('p', { class: 'quiet' }, local(note))));
  $('text').textContent = state.text;
  const pairs = [];
  const wide = state.players.length;
  for (let at = 0; at < state.record.length; at += wide) {
    pairs.push(h('li', {}, state.record.slice(at, at + wide).join('  ')));
  }
  $('record').replaceChildren(...pairs);
  showOffer();
  showChoices();
  showActions();
}

function showOffer() {
  const { offer } = state;
  $('offer').hidden = !offer;
  if (!offer) return $('offer').replaceChildren();
  $('offer').replaceChildren(
    h('p', {}, local(offer.text)),
    h('button', { class: 'primary', onclick: () => send(offer.yes) }, words.yes),
    h('button', { onclick: () => send(offer.no) }, words.no),
  );
}

function showChoices() {
  const parts = [];
  if (state.mine && isWhole(state.steps, taken)) {
    parts.push(h('p', {}, words.confirm.replace('{move}', taken.join(''))));
    parts.push(h('button', { class: 'primary', id: 'play', onclick: play }, words.play));
  } else if (state.mine) {
    for (const sign of buttons(state.steps, taken).filter((sign) => !isLit(sign))) {
      const turn = sign.heading === null || sign.heading === undefined ? [] : [arrow(sign.heading), ' '];
      parts.push(h('button', { 'data-step': sign.text, onclick: () => choose([sign.text]) }, ...turn, sign.label));
    }
  }
  // What is chosen so far, for tests and styles.
  document.body.dataset.now = `${state.entry} ${taken.join('~')}`;
  document.body.dataset.turn = state.over ? 'over' : state.mine ? 'mine' : 'other';
  if (state.mine && taken.length > 0) parts.push(h('button', { id: 'back', onclick: back }, words.back));
  $('choices').replaceChildren(...parts);
  if (isWhole(state.steps, taken) && document.activeElement?.closest?.('#cells')) $('play')?.focus();
}

/** Whether every cell after a sign is lit already, so that it needs no button. */
function isLit(sign) {
  const later = sign.after ? choices(state.steps, [...taken, sign.text]) : [];
  const lit = able();
  return later.length > 0 && later.every((choice) => lit.get(choice.cell)?.some((steps) => steps[0] === sign.text));
}

const arrow = (heading) => {
  const made = h('span', { class: 'arrow', 'aria-hidden': 'true' }, '↑');
  made.style.transform = `rotate(${heading * 45}deg)`;
  return made;
};

function showActions() {
  const ask = (action) => {
    const no = () => showActions();
    $('actions').replaceChildren(
      h('p', {}, local(action.sure)),
      h('button', { class: 'danger', id: 'sure', onclick: () => send(action.order) }, action.label),
      h('button', { onclick: no }, words.no),
    );
    $('sure').focus();
  };
  const button = (action) =>
    h('button', { 'data-order': action.order, onclick: () => (action.sure ? ask(action) : send(action.order)) }, action.label);
  $('actions').replaceChildren(...state.actions.map(button));
}

// --- The players and their clocks

function showPlayers() {
  const strip = (player, seat) =>
    h('div', { class: `player${player.turn ? ' turn' : ''}`, 'data-seat': seat },
      emblem(player),
      h('span', { class: 'name' }, player.name, player.you ? h('span', { class: 'you' }, words.you) : ''),
      player.score === null ? '' : h('span', { class: 'score' }, player.score),
      player.clock === null ? '' : h('span', { class: 'clock' }));
  const all = state.players.map(strip);
  const own = state.players.findIndex((player) => player.you);
  const under = all.filter((_, seat) => (own < 0 ? seat === 0 : seat === own));
  $('over').replaceChildren(...all.filter((one) => !under.includes(one)));
  $('under').replaceChildren(...under);
}

function emblem(player) {
  const made = h('span', { class: 'emblem' });
  made.innerHTML = player.emblem;
  return made;
}

function tick() {
  const gone = Date.now() - skew - state.now_ms;
  state.players.forEach((player, seat) => {
    const clock = document.querySelector(`[data-seat="${seat}"] .clock`);
    if (!clock) return;
    const { left_ms: sent, runs } = player.clock;
    const left = Math.max(0, sent - (runs ? gone : 0));
    clock.textContent = duration(left);
    clock.classList.toggle('low', runs && left < 30000);
  });
}

function duration(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor((seconds % 86400) / 3600)];
  const [minutes, rest] = [Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (number) => String(number).padStart(2, '0');
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// --- Orders

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends an order until it is answered. It is kept meanwhile, so that a reload goes on with it. */
async function send(query) {
  if (sessionStorage.getItem(PENDING)) return;
  const id = crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(PENDING, `${query}&id=${id}`);
  await sendPending();
}

async function sendPending() {
  const order = sessionStorage.getItem(PENDING);
  if (!order) return;
  document.body.classList.add('sending');
  notice(words.sending);
  for (let attempt = 0; ; attempt++) {
    const answer = await asked(`/play/${table}/order?${order}`, { method: 'POST', headers: { 'x-rookery-page': token } });
    if (answer && answer.status < 500 && answer.status !== 429) {
      sessionStorage.removeItem(PENDING);
      document.body.classList.remove('sending');
      return answered(answer);
    }
    notice(words.lost, true);
    await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
  }
}

async function answered(answer) {
  const { said, state: next } = await answer.json().catch(() => ({}));
  taken = [];
  notice(answer.ok ? '' : (said ?? ''), !answer.ok);
  if (next) take(next);
  else await refresh();
  if (!answer.ok && said) say(local(said));
}

/** Requests something; null without a connection. */
async function asked(address, options) {
  try {
    return await fetch(address, { cache: 'no-store', ...options });
  } catch {
    return null;
  }
}

async function refresh() {
  const answer = await asked(`/play/${table}/state`);
  if (!answer) return;
  if (answer.ok) return take(await answer.json());
  if (answer.status < 500 && answer.status !== 429) signedOut((await answer.json().catch(() => ({}))).said);
}

function signedOut(said) {
  isSignedOut = true;
  events?.close();
  state.mine = false;
  state.actions = [];
  showPanel();
  mark();
  notice(said ?? words['signed-out'], true);
}

// --- News and keys

let events = null;
let isSignedOut = false;

function listen() {
  events?.close();
  if (isSignedOut) return;
  events = new EventSource(`/play/${table}/events`);
  events.onmessage = (event) => {
    document.body.dataset.live = 'true';
    if (Number(event.data) > state.entry) refresh();
  };
  events.onerror = () => {
    document.body.dataset.live = 'false';
    // A stream that is refused or has ended tells nothing: the state says why.
    refresh();
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  };
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
  const isOnBoard = event.target.closest('#cells');
  if (event.key === 'Escape') back();
  else if (event.key === 't' || (event.key === 'b' && !isOnBoard)) textBoard();
  else if (event.key === 'n') location.assign($('next').href);
  else if (event.key.startsWith('Arrow') && !isOnBoard && !event.target.closest('pre')) board.focus();
  else return;
  event.preventDefault();
}

function textBoard() {
  $('textboard').open = !$('textboard').open;
  if ($('textboard').open) $('text').focus();
  else board.focus();
}

take(data.state);
listen();
sendPending();
setInterval(tick, 500);
addEventListener('keydown', keys);
addEventListener('online', refresh);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh());
document.body.dataset.ready = 'true';

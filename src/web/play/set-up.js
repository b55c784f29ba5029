// Setting up a position. The server makes each position; this script says what a touch means, and keeps the earlier
// positions to undo. The position is in the page's address, so that a reload or a bookmark shows it again.

import { Board } from './board.js';
import { $, fill, isCommand, newId, notice, say } from './dom.js';
import { ignoreDoublePresses } from './double-press.js';
import { fetchOrNull, post } from './request.js';
import { Strokes } from './strokes.js';

const { game, token, words, view: first } = JSON.parse($('data').textContent);
/** The address of this game's editor. */
const editor = `/play/set-up/${game}`;

let view = null;
/** The cell of the piece that is being moved. */
let from = null;
const earlier = [];
let isOpening = false;
/** The game that was asked for last, and the id of that order. */
let order = {};

const board = new Board($('frame'), { touched, dropped, back });
const chosen = () => document.querySelector('input[name=tool]:checked');
const tool = () => chosen().value;
const isMoving = () => tool() === 'move';
const strokes = new Strokes(board, { tool: () => (isMoving() ? null : chosen()), passed: mark, put: stroke });

/** Shows a position. */
function show(next) {
  view = next;
  from = null;
  board.draw(view.board, false);
  board.lay(view.cells, view.corners);
  mark();
  $('line').value = view.position;
  showFault('');
  $('copied').textContent = '';
  $('command').value = `/import text:${game} ${view.position}`;
  $('undo').setAttribute('aria-disabled', String(earlier.length === 0));
  $('over').hidden = !view.over;
  $('play-on').hidden = view.over;
  document.querySelector(`input[name=turn][value="${view.turn}"]`).checked = true;
  for (const input of document.querySelectorAll('#points input')) input.value = view.points?.[input.dataset.seat - 1] ?? 0;
  for (const link of document.querySelectorAll('#print a')) {
    link.href = `/play/set-up/${game}/sheet?${new URLSearchParams({ position: view.position })}&${link.dataset.print}`;
  }
  history.replaceState(null, '', `/play/set-up/${game}?${new URLSearchParams({ position: view.position })}`);
}

/** Marks what can be touched, and what was chosen: the piece that is being moved, or the cells that are `passed`. */
function mark(passed = []) {
  const all = view.cells.map((_, at) => at);
  const movable = all.filter((at) => !view.cells[at].bare);
  const pieces = all.filter((at) => view.cells[at].solid);
  board.mark({
    selectable: new Set(isMoving() && from === null ? pieces : []),
    chosen: new Set(from === null ? passed : [from]),
    destinations: new Set(),
    nextCells: new Set(isMoving() && from === null ? movable : all),
    label: (at) => [`${view.cells[at].name}: ${view.cells[at].has}`, from === at ? words.chosen : null].filter(Boolean).join(', '),
  });
  // Tiles and arrows can be dragged as well, without a mark on each.
  board.selectable = new Set(movable);
}

function touched(at) {
  const name = view.cells[at].name;
  if (!isMoving()) return stroke([at]);
  if (from === null && view.cells[at].bare) return board.refuse(at);
  if (from === null) from = at;
  else if (from === at) from = null;
  else return edit(`carry:${view.cells[from].name}:${name}`, at);
  mark();
}

/** Puts the chosen piece on cells, or removes what is there. */
function stroke(cells) {
  edit(cells.map((at) => `${tool()}:${view.cells[at].name}`).join(), cells.at(-1));
}

function dropped(start, end) {
  if (end === null) return true;
  if (end < 0 || end === start) return false;
  edit(`carry:${view.cells[start].name}:${view.cells[end].name}`, end);
  return true;
}

function back() {
  from = null;
  mark();
}

/** Asks the server for the position after an edit; `at` is the cell that it changes, if any. */
async function edit(text, at = null) {
  const isShown = await change({ position: view.position, edit: text });
  if (isShown && at !== null) say(fill(words['set-up-changed'], { cell: view.cells[at].name, has: view.cells[at].has }));
}

/** Shows the position that a query asks for, unless another one was shown meanwhile; resolves to whether it is shown. */
async function change(query) {
  const before = view.position;
  const next = await read(fetchPosition(query));
  if (!next) {
    // The drawing of a refused edit is that of the position before.
    show(view);
    return false;
  }
  if (view.position !== before) return false;
  earlier.push(view);
  show(next);
  notice(next.notes.join(' '));
  return true;
}

/** Takes all pieces off the board, except for those that must stay. */
async function empty() {
  if (await change({ position: view.position, edit: 'empty' })) notice(view.stays ?? words['set-up-emptied']);
}

/** Begins with another random board of this size. */
async function randomBoard() {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  if (await change({ position: view.position, edit: 'random', seed })) notice(words['set-up-random-shown']);
}

/** Requests a position of this game's editor. */
const fetchPosition = (query) => fetchOrNull(`${editor}/position?${new URLSearchParams(query)}`);

/** Reads the answer to a request; resolves to null, and `fails` says why, if it was refused. */
async function read(request, fails = (why) => notice(why, true)) {
  const answer = await request;
  const body = await answer?.json().catch(() => null);
  if (answer?.ok && body) return body;
  fails(body?.said ?? words['no-answer']);
  return null;
}

/** Shows the position that was typed. A text that can't be read stays, with the reason beside it. */
async function showTyped() {
  const typed = $('line').value;
  const next = await read(fetchPosition({ position: typed }), showFault);
  if (!next || $('line').value !== typed) return;
  earlier.push(view);
  show(next);
  notice('');
}

/** Says why the typed position can't be read; nothing if it can. */
function showFault(why) {
  $('line-fault').textContent = why;
  $('line').setAttribute('aria-invalid', String(why !== ''));
}

/** Opens a study or a game of the position, and goes there. */
async function open(path, what) {
  if (isOpening) return;
  isOpening = true;
  notice(words.sending);
  const query = new URLSearchParams({ position: view.position, ...what });
  const opened = await read(post(`${editor}/${path}?${query}`, token));
  isOpening = false;
  if (opened) location.assign(`/play/${opened.next}`);
}

/** Opens a game. The id stays the same until the position or the level is another one: an answer may be lost. */
function playOn() {
  const level = $('level').value;
  const wanted = `${level} ${view.position}`;
  if (order.wanted !== wanted) order = { wanted, id: newId() };
  open('play', { level, id: order.id });
}

function undo() {
  const last = earlier.pop();
  if (!last) return;
  show(last);
  notice('');
}

/** Copies the line for Discord. Without https, browsers don't. */
async function copy() {
  $('command').select();
  const isCopied = await navigator.clipboard?.writeText($('command').value).then(() => true, () => false);
  $('copied').textContent = isCopied ? words['set-up-copied'] : words['set-up-copy-failed'];
}

$('undo').addEventListener('click', undo);
$('empty').addEventListener('click', empty);
$('random')?.addEventListener('click', randomBoard);
$('texts').addEventListener('submit', (event) => {
  event.preventDefault();
  showTyped();
});
$('study').addEventListener('click', () => open('study', {}));
$('play-on').addEventListener('submit', (event) => {
  event.preventDefault();
  playOn();
});
$('tools').addEventListener('change', back);
for (const piece of document.querySelectorAll('#tools .piece')) {
  piece.addEventListener('pointerdown', (event) => strokes.fetch(event, piece));
}
$('copy').addEventListener('click', copy);
$('turns').addEventListener('change', (event) => edit(`turn:${event.target.value}`));
$('points')?.addEventListener('change', ({ target }) => {
  if (target.reportValidity()) edit(`points:${target.dataset.seat}:${target.value}`);
  else notice(target.validationMessage, true);
});
$('points')?.addEventListener('submit', (event) => event.preventDefault());
$('command').addEventListener('focus', () => $('command').select());
addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea, select')) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 'z') undo();
  if (isCommand(event) || !event.key.startsWith('Arrow') || event.target.closest('#cells')) return;
  // As on the page of a game.
  board.focus();
  event.preventDefault();
});
ignoreDoublePresses();
show(first);
document.body.dataset.ready = 'true';

// A page on which a person plays. The server sends the whole state of the table; this script shows it, lets a move be
// chosen on the board, and sends orders.

import { Board } from './board.js';
import { $, arrow, clearRefusal, fill, h, local, notice, replace, say } from './dom.js';
import { Drawings } from './drawings.js';
import { Hint, isHint } from './hint.js';
import { Live } from './live.js';
import { buttons, choices, isWhole, lastCell, targets, withForced } from './moves.js';
import { Orders } from './orders.js';
import { planOf, Rematch, showLine, showOffer, showPlans, showVote } from './panels.js';
import { showClocks, showPlayers } from './players.js';
import { Record } from './record.js';
import { asked, found } from './request.js';
import { SoundSwitch } from './sound-switch.js';
import { Walk } from './walk.js';

const data = JSON.parse(document.getElementById('data').textContent);
const { table, game, token, words } = data;

let state = null;
let taken = [];
let shown = '';
let skew = 0;
let analysis = null;
let annotations = null;

const board = new Board($('frame'), { touched, dropped, back });
const walk = new Walk({ get: (query) => found(`/play/${table}/position?${query}`, words.lost), changed: showWalk });
const record = new Record({ go: goTo, words });
const hint = new Hint({ table, token, words, take, refresh, changed: showHint });
const drawings = new Drawings({ table, arrived: (half) => taken.length > 0 && halfMove() === half && showBoard(true) });
const orders = new Orders({ table, token, words, answered });
const sound = new SoundSwitch({ button: $('sound'), lost: words.lost });
const live = new Live({ table, isNews: (entry) => entry > state.entry, isLost: () => isWithoutConnection, refresh });
const rematch = new Rematch({ words, get: async (next) => (await asked(`/play/${next}/state`))?.ok });

// --- What the table looks like

/** Takes a state from the server, unless a later one is here already. */
function take(next) {
  if (state && (next.entry < state.entry)) return;
  const first = state === null;
  const [moved, before] = [!first && next.ply !== state.ply, state];
  if (!walk.at && (first || next.ply !== state.ply || !next.mine)) taken = [];
  if (moved) drawings.clear();
  if (!first && next.entry > state.entry) clearRefusal();
  state = next;
  skew = Date.now() - state.now_ms;
  hint.show(state);
  followWalk(before);
  if (!walk.at) showBoard(!first);
  showPanel();
  if (before && !before.over && state.over) sound.play('end');
  else if (moved) sound.play('move');
  if (moved) say([state.played, state.headline].join('. '));
  else if (before) sayNews(before);
  document.title = `${state.mine ? `● ${words['your-turn-title']} · ` : ''}${game} ${table} · Rookery`;
}

/** Tells screen readers what the state before didn't say, such as the answer to an offer. */
function sayNews(before) {
  const headline = before.headline === state.headline ? [] : [state.headline];
  const news = [...headline, ...state.notes.filter((note) => !before.notes.includes(note)).map(local)];
  if (news.length > 0) say(news.join(' '));
}

/** The turns of the game and the moves of a line that lead to what the board shows. */
const place = () => walk.at ?? { ply: state.ply, line: [] };
/** What the board shows: the present, or the position that was gone to. */
const here = () => walk.at?.view ?? state;
/** The legal moves there, if the person may play or try one. */
const tree = () => (walk.at ? walk.at.view.steps : state.mine ? state.steps : null);
/** Whether the board shows the present position. */
const isNow = () => !walk.at || (walk.at.ply === state.ply && walk.at.line.length === 0);

/** The clocks count on from the time of the state. */
const tick = () => showClocks(state, Date.now() - skew - state.now_ms);

function showBoard(glides) {
  const half = halfMove();
  const drawing = taken.length === 0 ? here().board : drawings.get(half);
  if (drawing && drawing !== shown) {
    board.draw(drawing, glides, here().marks);
    shown = drawing;
  } else if (!drawing) {
    drawings.fetch(half);
  }
  if (state.cells.length > 0) board.lay(state.cells, state.corners);
  document.body.classList.toggle('looking', !isNow());
  mark();
}

/** The query of the board after the steps of a half-made move. */
function halfMove() {
  const { ply, line } = place();
  return new URLSearchParams({ ply, line: line.join(','), tries: Boolean(walk.at), steps: taken.join('~') }).toString();
}

function mark() {
  if (!board.overlay) return;
  const chosen = new Set(chosenCells());
  const next = able();
  const goals = new Set(taken.length > 0 || !startsWithPieces() ? next.keys() : []);
  const first = new Set(taken.length > 0 ? firstCells().keys() : next.keys());
  const hinted = walk.at ? [] : hint.cells;
  board.mark({
    able: first,
    chosen,
    goals,
    next: new Set(next.keys()),
    hinted,
    label: (at) => {
      const cell = { ...state.cells[at], ...here().cells[at] };
      const more = chosen.has(at) ? words.chosen : next.has(at) && !board.pen?.isOn ? words['can-choose'] : null;
      return [`${cell.name}: ${cell.has}`, more, hinted.includes(at) ? words.hinted : null].filter(Boolean).join(', ');
    },
  });
}

const origin = () => lastCell(tree(), taken);
const able = () => targets(tree(), taken, origin(), state.cells);
const firstCells = () => targets(tree(), [], null, state.cells);
/** Whether a move begins with a piece on the board, rather than with an empty cell. */
const startsWithPieces = () => choices(tree(), []).some((choice) => choice.after);

function chosenCells() {
  const cells = [];
  for (let many = 1; many <= taken.length; many++) {
    const cell = lastCell(tree(), taken.slice(0, many));
    if (cell !== null) cells.push(cell);
  }
  return cells;
}

// --- Choosing a move

function touched(at) {
  if (!tree()) return;
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
  const names = new Map(choices(tree(), taken).map((choice) => [choice.text, choice.label]));
  const button = (steps) => h('button', { class: 'primary', 'data-step': steps[0], onclick: () => choose(steps) }, names.get(steps[0]), suggested(steps[0]));
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
  taken = withForced(tree(), [...taken, ...steps]);
  notice('');
  if (isWhole(tree(), taken) && (walk.at || !state.confirms)) return play();
  showBoard(true);
  showChoices();
  const text = taken.join('');
  say(isWhole(tree(), taken) ? words.confirm.replace('{move}', text) : text);
}

/** Takes the last choice back. */
function back() {
  if (board.pen?.escape()) return null;
  if (taken.length === 0) return walk.wanted?.line.length > 0 ? walk.pop() : goNow();
  do taken.pop();
  while (taken.length > 0 && choices(tree(), taken).length === 1 && (choices(tree(), taken)[0].cell ?? null) === null);
  showBoard(true);
  showChoices();
  say(taken.length > 0 ? taken.join('') : here().headline);
}

function play() {
  const text = taken.join('');
  if (walk.at) return tryMove(text);
  send(`kind=move&ply=${state.ply}&text=${encodeURIComponent(text)}`);
}

// --- The panel beside the board

function showPanel() {
  showPlayers(state, words, walk.at?.view);
  tick();
  $('headline').textContent = local(here().headline);
  $('headline').classList.toggle('mine', state.mine && isNow());
  $('played').textContent = here().played;
  $('notes').replaceChildren(...state.notes.map((note) => h('p', { class: 'quiet' }, local(note))));
  $('text').textContent = here().text;
  record.list(state);
  record.mark(walk.at?.ply ?? state.ply, Boolean(walk.at?.line.length));
  rematch.show(state.rematch);
  showVote(state.vote, send);
  showPlans(state.plans, words, send);
  showLine(walk, words);
  showAnalysis();
  showAnnotations();
  showOffer(state.offer, words, send);
  showChoices();
  showActions();
  showPrint();
}

/** Links to pages to print of the position that is shown. Inside Discord a page of its own would not be signed in. */
function showPrint() {
  const { ply, line } = place();
  $('print').hidden = window !== parent;
  for (const link of document.querySelectorAll('#print a')) {
    link.href = `/play/${table}/sheet?${new URLSearchParams({ ply, line: line.join(','), paper: link.dataset.paper })}`;
  }
}

/** After the game, shows the engine's lines and the territory; their script is loaded then. */
async function showAnalysis() {
  if (!state.analysis) {
    $('analysis').hidden = true;
    return;
  }
  const make = ({ Analysis }) =>
    new Analysis({
      ask: (ply, line) => {
        const query = new URLSearchParams({ ply, line: line.join(',') });
        return asked(`/play/${table}/lines?${query}`, { method: 'POST', headers: { 'x-rookery-page': token } });
      },
      go: (ply, line) => walk.go(ply, line),
      tint,
      words,
    });
  analysis ??= import('./analysis.js').then(make, () => (analysis = null));
  const shown = await analysis;
  $('analysis').hidden = !shown || !state.analysis;
  if (shown && state.analysis) shown.show(state, place(), walk.at?.view);
}

/** Shows territory or not; resolves to whether it is shown. */
async function tint(on) {
  walk.territory = on;
  await walk.again();
  walk.territory = Boolean(walk.at?.territory);
  return walk.territory;
}

/** After the game, shows what the person wrote and drew; its script is loaded then. */
async function showAnnotations() {
  if (!state.over || isSignedOut) return;
  const make = ({ Annotations }) => new Annotations({ table, token, board, walk, switched: mark });
  annotations ??= import('./annotations.js').then(make, () => (annotations = null));
  const shown = await annotations;
  if (shown && !shown.words) await shown.load();
  shown?.show(state, place());
}

function showChoices() {
  const parts = [];
  if (!walk.at && state.mine && isWhole(state.steps, taken)) {
    parts.push(h('p', {}, words.confirm.replace('{move}', taken.join(''))));
    parts.push(h('button', { class: 'primary', id: 'play', onclick: play }, words.play));
  } else if (tree()) {
    for (const sign of buttons(tree(), taken).filter((sign) => !isLit(sign))) {
      const turn = sign.heading === null || sign.heading === undefined ? [] : [arrow(sign.heading), ' '];
      parts.push(h('button', { 'data-step': sign.text, onclick: () => choose([sign.text]) }, ...turn, sign.label, suggested(sign.text)));
    }
  }
  // What is chosen so far, for tests and styles.
  document.body.dataset.now = `${state.entry} ${taken.join('~')}`;
  document.body.dataset.walk = walk.at ? [walk.at.ply, ...walk.at.line].join(' ') : '';
  document.body.dataset.turn = state.over ? 'over' : state.mine ? 'mine' : 'other';
  if (taken.length > 0) parts.push(h('button', { id: 'back', onclick: back }, words.back));
  else parts.push(...walkButtons());
  const byKeys = $('choices').querySelector(':focus-visible');
  replace($('choices'), parts);
  // A button that a key has pressed is gone: the keys go on at the next one, or at the board.
  if (byKeys && document.activeElement === document.body) {
    const next = able().size === 0 && $('choices').querySelector('[data-step]');
    (next || board).focus();
  }
  if (!walk.at && isWhole(state.steps, taken) && document.activeElement?.closest?.('#cells')) $('play')?.focus();
}

/** What a button of a suggested step says besides its label. */
const suggested = (text) => (!walk.at && hint.has(taken, text) ? h('span', { class: 'hinted' }, ` (${words.hinted})`) : '');

/** Whether every cell after a sign is lit already, so that it needs no button. */
function isLit(sign) {
  const later = sign.after ? choices(tree(), [...taken, sign.text]) : [];
  const lit = able();
  return later.length > 0 && later.every((choice) => lit.get(choice.cell)?.some((steps) => steps[0] === sign.text));
}

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
  const press = (action) => (action.sure ? ask(action) : send(action.order));
  const button = (action) =>
    isHint(action)
      ? hint.button(action)
      : h('button', { 'data-order': action.order, 'data-key': action.order, onclick: () => press(action) }, action.label);
  replace($('actions'), state.actions.map(button));
}

/** Shows that a hint is awaited, or there. */
function showHint() {
  mark();
  showChoices();
  showActions();
}

// --- Other positions

let isPlanning = false;

/** Shows the position that was gone to, or the present again. */
function showWalk(glides) {
  taken = [];
  showBoard(glides);
  showPanel();
  say([here().played, here().headline].filter(Boolean).join('. '));
}

/** Shows the position after some turns of the game. */
function goTo(ply) {
  // After the game every position can be tried on; before, the latest one is the present.
  if (ply >= state.ply && !state.over) return goNow();
  isPlanning = false;
  walk.tries = state.over;
  return walk.go(ply);
}

function goNow() {
  isPlanning = false;
  notice('');
  if (!state.over) return walk.leave();
  return isNow() && walk.at ? null : goTo(state.ply);
}

/** Keeps or leaves the position that is shown when the game goes on. */
function followWalk(before) {
  const same = before && before.record.every((text, at) => state.record[at] === text);
  // The last position has another headline now.
  if (before && before.over !== state.over) walk.positions.clear();
  if (before && !same) walk.reset();
  // A plan begins at the present.
  else if (isPlanning && (state.ply !== before.ply || !state.may_plan)) {
    isPlanning = false;
    walk.leave();
  } else if (walk.wanted && before && state.ply > before.ply) {
    notice(fill(words['new-move'], { played: state.played }));
  } else if (walk.wanted && before && state.over && !before.over) {
    notice(fill(words['new-move'], { played: state.headline }));
  }
  // After the game moves can be tried at the position that is shown, too.
  if (state.over && before && !before.over && walk.wanted && !isPlanning) goTo(walk.wanted.ply);
  if (state.over && (!before?.over || !walk.wanted) && (!walk.wanted || isPlanning)) goTo(state.ply);
}

/** Plays a move on the board alone, beside the game. */
function tryMove(text) {
  const { ply, line } = walk.at;
  taken = [];
  // A move of the game itself is no line of one's own.
  return line.length === 0 && state.record[ply] === text && !isPlanning ? walk.go(ply + 1) : walk.push(text);
}

/** Returns the buttons that belong to the position that is shown. */
function walkButtons() {
  const parts = [];
  const line = walk.at?.line ?? [];
  const button = (id, text, onclick, kind) => h('button', { type: 'button', id, 'data-key': id, class: kind, onclick }, text);
  if (isPlanning) {
    const whose = walk.at?.view.turn === own() ? 'plan-yours' : 'plan-theirs';
    parts.push(h('p', { class: 'quiet' }, words[whose]));
    const mine = lineMovers();
    if (mine.at(-1)) parts.push(button('save-plan', words['plan-save'], savePlan, 'primary'));
  } else if (state.over && walk.at?.view.steps && line.length === 0) {
    parts.push(h('p', { class: 'quiet' }, words.try));
  } else if (!walk.at && state.may_plan) {
    parts.push(button('plan', words.plan, beginPlan));
  }
  if (line.length > 0) parts.push(button('undo', words.undo, () => walk.pop()));
  if (isPlanning) parts.push(button('now', words['to-now'], goNow));
  else if (line.length > 0) parts.push(button('to-game', words['to-game'], () => walk.go(walk.at.ply)));
  else if (!isNow()) parts.push(button('now', words['to-now'], goNow, 'primary'));
  return parts;
}

const own = () => state.players.findIndex((player) => player.you);

/** Whether each move of the line is the person's own. */
const lineMovers = () => (walk.at?.view.movers ?? []).map((mover) => mover === own());

function beginPlan() {
  isPlanning = true;
  walk.tries = true;
  return walk.go(state.ply);
}

async function savePlan() {
  const text = planOf(walk.at.line, lineMovers());
  goNow();
  await send(`kind=plan&text=${encodeURIComponent(text)}`);
}

// --- Orders

const send = (query) => orders.send(query);

async function answered(answer) {
  const { said, state: next, next: other } = await answer.json().catch(() => ({}));
  taken = [];
  notice('');
  if (next) take(next);
  else await refresh();
  if (other) rematch.follow(other);
  if (answer.ok || !said) return;
  // The state that came with it must not clear it.
  notice(said, true);
  say(local(said));
}

async function refresh() {
  const answer = await asked(`/play/${table}/state`);
  showLost(!answer || answer.status >= 500);
  if (!answer) return;
  if (answer.ok) return take(await answer.json());
  if (answer.status < 500 && answer.status !== 429) signedOut((await answer.json().catch(() => ({}))).said);
}

/** Says that there is no connection, until there is one again. An order says it by itself. */
function showLost(isLost) {
  if (isLost === isWithoutConnection) return;
  isWithoutConnection = isLost;
  if (orders.isPending) return;
  if (isLost) notice(words.lost, true);
  else clearRefusal();
}

function signedOut(said) {
  isSignedOut = true;
  live.close();
  state.mine = false;
  state.actions = [];
  hint.show(state);
  showPanel();
  mark();
  notice(said ?? words['signed-out'], true);
}

// --- News and keys

let isSignedOut = false;
let isWithoutConnection = false;

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
  const isOnBoard = event.target.closest('#cells');
  if (record.key(event.key, !isOnBoard && !event.target.closest('pre, #record'))) {
    // The record has stepped.
  } else if (event.key === 'Escape') back();
  else if (event.key === '?') $('keys').open = !$('keys').open;
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

take({ ...data.state, board: $('board').innerHTML });
live.listen();
orders.sendPending();
setInterval(tick, 500);
addEventListener('keydown', keys);
addEventListener('online', refresh);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh());
document.body.dataset.ready = 'true';

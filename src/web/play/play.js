// A page on which a person plays. The server sends the whole state of the table; this script makes the parts of the page,
// connects them, and gives each new state to them.

import { AfterGame } from './after-game.js';
import { Board } from './board.js';
import { BoardView } from './board-view.js';
import { Choosing } from './choosing.js';
import { $, clearRefusal, h, isCommand, local, notice, say, unbroken } from './dom.js';
import { ignoreDoublePresses } from './double-press.js';
import { Hint } from './hint.js';
import { Live } from './live.js';
import { Navigation } from './navigation.js';
import { OffBoard } from './off-board.js';
import { Orders } from './orders.js';
import { Rematch, showActions, showEdit, showOffer, showPlans, showPrint, showProof, showVote } from './panels.js';
import { showClocks, showPlayers } from './players.js';
import { Record } from './record.js';
import { fetchJson, fetchOrNull } from './request.js';
import { Shown } from './shown.js';
import { SoundButton } from './sound-button.js';
import { Variations } from './variations.js';

const CLOCK_MS = 500;

const data = JSON.parse(document.getElementById('data').textContent);
const { table, viewer, token, words, prompts } = data;

const navigation = new Navigation({ get: (query) => fetchJson(`/play/${table}/position?${query}`, words), changed: showPosition });
const shown = new Shown(navigation);
const board = new Board($('frame'), {
  touched: (at) => choosing.touched(at),
  dropped: (from, to) => choosing.dropped(from, to),
  back: () => choosing.back(),
});
const orders = new Orders({ table, token, words, answered });
const live = new Live({
  events: () => `/play/${table}/events?${new URLSearchParams({ settings: shown.state.settings })}`,
  state: `/play/${table}/state?viewer=${viewer}`,
  words,
  isNew: (entry) => Number(entry) > shown.state.entry,
  take,
  isSending: () => orders.pending !== null,
  signedOut,
});
const hint = new Hint({ table, token, words, take, refresh: () => live.refresh(), changed: showHint });
const offBoard = new OffBoard(board, { label: prompts.piece, picked: (text) => choosing.picked(text) });
const view = new BoardView({ table, words, shown, board, offBoard, hint });
const send = (query) => orders.send(query);
const variations = new Variations({ words, shown, send });
const choosing = new Choosing({ words, prompts, shown, board, view, hint, variations, send });
const record = new Record({ go: (ply) => variations.goTo(ply), step: (by) => variations.step(by) });
const rematch = new Rematch({ words, get: async (next) => (await fetchOrNull(`/play/${next}/state`))?.ok });
const afterGame = new AfterGame({ table, token, words, shown, board, switched });
const sounds = new SoundButton({ failed: () => notice(words['no-answer'], true) });
/** How far the browser's clock is ahead of the server's, in milliseconds. */
let skew = 0;

/** Takes a state from the server, unless a later one is here already. */
function take(next) {
  const before = shown.state;
  if (before && next.entry < before.entry) return;
  const tookBack = before !== null && before.record.some((text, at) => next.record[at] !== text);
  const moved = before !== null && (tookBack || next.ply !== before.ply);
  if (!navigation.current && (!before || moved || !next.mine)) shown.taken = [];
  const looksOther = before !== null && next.settings !== before.settings;
  if (moved || looksOther) view.forget();
  if (before && next.entry > before.entry) clearRefusal();
  shown.state = next;
  skew = Date.now() - next.now_ms;
  hint.show(next);
  variations.follow(before);
  if (looksOther) showSettings();
  if (!navigation.current) view.show(before !== null);
  showPanel();
  if (before && !before.over && next.over) sounds.play('end');
  else if (moved) sounds.play('move');
  if (before) sayWhatIsNew(before, next, { tookBack, moved });
  document.title = `${next.title} · Rookery`;
}

/** Draws all that was drawn with other settings again; the state is drawn with the new ones. */
function showSettings() {
  navigation.positions.clear();
  navigation.reload();
  afterGame.loadAnnotations();
}

/** Returns what the state before didn't say, such as an offer or the answer to one. */
function newsSince(before, now) {
  const texts = (state) => [...state.notes, state.offer?.text, state.rematch?.text].filter(Boolean);
  const known = texts(before);
  return texts(now).filter((text) => !known.includes(text)).map(local);
}

/** Tells screen readers what a new state says. */
function sayWhatIsNew(before, now, { tookBack, moved }) {
  const headline = before.headline === now.headline ? '' : now.headline;
  const first = tookBack ? `${words['taken-back']} ${now.ply < before.ply ? now.headline : now.spoken}` : moved ? now.spoken : headline;
  const all = [first, ...newsSince(before, now)].filter(Boolean);
  if (all.length > 0) say(all.join(' '));
}

/** The clocks count on from the time of the state. */
const tick = () => showClocks(shown.state, Date.now() - skew - shown.state.now_ms);

/** Shows what is beside the board. */
function showPanel() {
  const { state, here, place } = shown;
  showPlayers(state, words, navigation.current?.view);
  tick();
  $('headline').textContent = local(here.headline);
  $('headline').classList.toggle('mine', state.mine && shown.isNow);
  $('played').replaceChildren(...unbroken(here.played));
  $('notes').replaceChildren(...state.notes.map((note) => h('p', { class: 'quiet' }, local(note))));
  showProof(state.proof);
  $('text').textContent = here.text;
  record.list(state);
  variations.showLine();
  record.mark(place, { where: variations.where(), canGoOn: variations.next(1) !== null });
  rematch.show(state.rematch);
  showVote(state.vote, send);
  showPlans(state.plans, words, send);
  afterGame.showAnalysis();
  if (!live.isSignedOut) afterGame.showAnnotations();
  showOffer(state.offer, words, send);
  choosing.show();
  showActions(state.actions, words, hint, send);
  showEdit(table, place, state.over);
  showPrint(table, place);
}

/** Shows the position that was gone to, or the present again. */
function showPosition(glides) {
  shown.taken = [];
  view.show(glides);
  showPanel();
  say(shown.here.spoken);
}

/** Shows that touches draw now, or choose moves again. */
function switched() {
  view.mark();
  choosing.show();
}

/** Shows that a hint is awaited, or there. */
function showHint() {
  view.mark();
  choosing.show();
  showActions(shown.state.actions, words, hint, send);
}

/** Takes the answer to an order. */
async function answered(answer) {
  const { said, state, next } = await answer.json().catch(() => ({}));
  shown.taken = [];
  notice('');
  if (state) take(state);
  else await live.refresh();
  if (next) rematch.follow(next);
  if (answer.ok || !said || live.isSignedOut) return;
  // The state that came with it must not clear it.
  notice(said, true);
  say(local(said));
}

/**
 * The person may no longer see the table, or another person is signed in here: what the page shows stays, but nothing can be
 * done.
 */
function signedOut(said, isOther) {
  Object.assign(shown.state, { mine: false, actions: [] });
  shown.taken = [];
  hint.show(shown.state);
  showPanel();
  view.mark();
  notice(said ?? words['signed-out'], true);
  // On a phone it is at the bottom of the window (play.css), because the page is of no use until it is read.
  $('notice').classList.add('final');
  if (isOther) $('notice').append(' ', h('button', { type: 'button', id: 'reload', onclick: () => location.reload() }, words.reload));
}

function keys(event) {
  if (isCommand(event) || event.target.closest('input, textarea')) return;
  const isOnBoard = event.target.closest('#cells');
  if (record.key(event.key, !isOnBoard && !event.target.closest('pre, #record'))) {
    // The record has stepped.
  } else if (event.key === 'Escape') choosing.back();
  else if (event.key === '?') keyList();
  else if (event.key === 't' || (event.key === 'b' && !isOnBoard)) textBoard();
  else if (event.key === 'n') location.assign($('next').href);
  else if (event.key.startsWith('Arrow') && !isOnBoard && !event.target.closest('pre')) board.focus();
  else return;
  event.preventDefault();
}

function keyList() {
  $('keys').open = !$('keys').open;
  if ($('keys').open) $('keys').scrollIntoView({ block: 'nearest' });
}

function textBoard() {
  $('textboard').open = !$('textboard').open;
  if ($('textboard').open) $('text').focus();
  else board.focus();
}

take({ ...data.state, board: $('board').innerHTML });
ignoreDoublePresses();
live.listen();
orders.sendPending();
setInterval(tick, CLOCK_MS);
addEventListener('keydown', keys);
addEventListener('online', () => live.refresh());
// Settings may have been changed in a window beside this one.
addEventListener('focus', () => live.refresh());
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && live.refresh());
document.body.dataset.ready = 'true';

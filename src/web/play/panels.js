// What is beside the board besides moves: actions such as resigning, offers, votes, plans, the rematch, and printing.

import { $, fill, h, local, replace, unbroken } from './dom.js';
import { isHint } from './hint.js';

/** Shows the buttons of what the person may do besides moving. Some ask first whether the person is sure. */
export function showActions(actions, words, hint, send) {
  const ask = (action) => {
    $('actions').replaceChildren(
      h('p', {}, local(action.sure)),
      h('button', { class: 'danger', id: 'sure', onclick: () => send(action.order) }, action.label),
      h('button', { onclick: () => showActions(actions, words, hint, send) }, words.no),
    );
    $('sure').focus();
  };
  const press = (action) => (action.sure ? ask(action) : send(action.order));
  const button = (action) =>
    isHint(action)
      ? hint.button(action)
      : h('button', { 'data-order': action.order, 'data-key': action.order, onclick: () => press(action) }, action.label);
  replace($('actions'), actions.map(button));
}

/** Shows the open offer: with buttons if the person may answer it, and else that it waits for the others. */
export function showOffer(offer, words, send) {
  $('offer').hidden = !offer;
  // On a phone a question is at the bottom of the window (play.css).
  $('offer').classList.toggle('asks', Boolean(offer?.yes));
  if (!offer) return $('offer').replaceChildren();
  const answers = () => [
    h('button', { class: 'primary', onclick: () => send(offer.yes) }, words.yes),
    h('button', { onclick: () => send(offer.no) }, words.no),
  ];
  const rest = offer.yes ? answers() : [h('p', { class: 'quiet' }, words['offer-waits'])];
  $('offer').replaceChildren(h('p', {}, local(offer.text)), ...rest);
}

/** Shows the open vote of the person's team. */
export function showVote(vote, send) {
  $('vote').hidden = !vote;
  if (!vote) return $('vote').replaceChildren();
  const button = (one) =>
    h('button', { type: 'button', 'aria-pressed': String(one.mine), 'data-vote': one.move, onclick: () => !one.mine && send(one.order) },
      h('strong', {}, one.move), ' ', h('span', { class: 'quiet' }, one.votes));
  $('vote').replaceChildren(h('p', {}, local(vote.text)), ...vote.proposals.map(button), h('p', { class: 'quiet' }, vote.decided));
}

/** Shows the person's plans, each with a button that deletes it. */
export function showPlans(plans, words, send) {
  $('plans').hidden = plans.length === 0;
  const item = (plan) =>
    h('li', {}, h('span', {}, ...unbroken(plan.text)), ' ',
      h('button', { type: 'button', class: 'small', 'aria-label': fill(words['plan-delete'], { plan: plan.text }), onclick: () => send(plan.delete) }, '✕'));
  $('plans').replaceChildren(h('h2', {}, words.plans), h('ul', {}, ...plans.map(item)));
}

/** Leads to pages to print of a position. Inside Discord a page of its own would not be signed in. */
export function showPrint(table, { ply, line }) {
  $('print').hidden = window !== parent;
  for (const link of document.querySelectorAll('#print a')) {
    link.href = `/play/${table}/sheet?${new URLSearchParams({ ply, line: line.join(',') })}&${link.dataset.print}`;
  }
}

/** Leads to the editor with a position of a game that is over. */
export function showEdit(table, { ply, line }, isOver) {
  $('edit').hidden = !isOver;
  $('edit').firstElementChild.href = `/play/${table}/set-up?${new URLSearchParams({ ply, line: line.join(',') })}`;
}

/** Shows the proof of the result, if there is one. The page that was opened has its drawing already. */
export function showProof(proof) {
  $('proof').hidden = !proof;
  if (!proof?.board) return;
  $('proof-board').innerHTML = proof.board;
  $('proof-board').setAttribute('aria-label', proof.alt);
  $('proof-why').textContent = proof.why;
  $('proof-moves').textContent = proof.moves;
}

/** Writes a line of moves as a plan; `mine` tells whose each move is. */
export function planOf(line, mine) {
  return line.map((text, at) => `${mine[at] ? 'then' : 'if'} ${text}`).join(' ');
}

/** Shows the rematch, and leads to it when it begins while the page waits for it. */
export class Rematch {
  constructor({ words, get }) {
    Object.assign(this, { words, get, table: null, source: null, before: null, looked: false });
  }

  show(rematch) {
    const hasBegun = this.looked && rematch?.has_begun && !this.before?.has_begun;
    [this.before, this.looked] = [rematch, true];
    $('rematch').hidden = !rematch;
    if (!rematch) return;
    const open = () => h('a', { class: 'button primary', href: `/play/${rematch.table}` }, this.words['rematch-open']);
    const waits = rematch.is_seated && !rematch.has_begun;
    $('rematch').replaceChildren(
      h('p', {}, rematch.text),
      ...(rematch.has_begun ? [open()] : waits ? [h('p', { class: 'quiet' }, this.words['rematch-follow'])] : []));
    if (waits) this.follow(rematch.table);
    // One that had begun before the page was opened only gets a link.
    else if (hasBegun && rematch.is_seated) this.lead(rematch.table);
  }

  /** Waits at a table until its game begins. */
  follow(table) {
    if (this.table === table) return;
    this.stop();
    this.table = table;
    this.source = new EventSource(`/play/${table}/events`);
    this.source.onmessage = () => this.look();
    this.source.onerror = () => this.look();
  }

  async look() {
    const table = this.table;
    if (table && (await this.get(table)) && table === this.table) this.lead(table);
  }

  stop() {
    this.source?.close();
    this.table = null;
  }

  lead(table) {
    this.stop();
    location.assign(`/play/${table}`);
  }
}

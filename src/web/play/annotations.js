// What a person writes and draws on the positions of a finished game. It is saved at once, and nobody else sees it unless
// the person makes a link to it.

import { $, fill, h, local, replace, say } from './dom.js';
import { Pen } from './pen.js';
import { fetchOrNull, post } from './request.js';
import { windowStorage } from './storage.js';

/** How long after the last change an annotation is saved. */
const SAVE_MS = 700;
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];
const EXCERPT = 60;

const keyOf = ({ ply, line }) => [ply, ...line].join(' ');
const isEmpty = ({ comment, arrows, marks }) => comment.trim() === '' && arrows.length === 0 && marks.length === 0;

/** Encodes an annotation for its header. */
function encoded({ ply, line, comment, arrows, marks }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ply, line, comment, arrows, marks }));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export class Annotations {
  /** `navigation` leads to positions; `switched()` tells that the drawing mode has begun or ended. */
  constructor({ table, token, board, navigation, switched }) {
    Object.assign(this, { table, token, board, navigation, switched, all: new Map(), at: { ply: 0, line: [] }, record: [] });
    this.stash = `rookery-annotations-${table}`;
    // Other windows of this browser with the same table; each says when it has saved something.
    this.windows = new BroadcastChannel(this.stash);
    this.windows.onmessage = () => this.load();
    /** The keys of what is to be saved, what is on its way, and what the server refused. */
    [this.dirty, this.sending, this.refused] = [new Set(), new Set(), new Set()];
    /** How often something has changed here, or was stored. */
    this.changes = 0;
    this.attempts = 0;
    const toggle = (from, to) => this.toggle(from, to);
    this.pen = new Pen(board, { toggle, chosen: (cell) => this.hint(cell), leave: () => this.draws(false) });
  }

  // --- What is stored

  /** Loads what the server has. What is not saved yet stays. */
  async load() {
    const before = this.changes;
    const answer = await fetchOrNull(`/play/${this.table}/annotations`);
    if (!answer?.ok) return null;
    const found = await answer.json();
    // What was changed meanwhile may be older in the answer.
    if (this.changes !== before) return this.load();
    const { annotations, words, colours, may_share: mayShare, link, most } = found;
    const isFirst = !this.words;
    Object.assign(this, { words, colours, mayShare, link, most });
    const kept = this.unsaved().map((key) => [key, this.all.get(key)]);
    this.all = new Map([...annotations.map((one) => [keyOf(one), one]), ...kept]);
    if (isFirst) this.build();
    if (isFirst) this.unstash();
    return this.render();
  }

  /** Returns the keys of what the server does not have. */
  unsaved() {
    return [...new Set([...this.dirty, ...this.sending, ...this.refused])];
  }

  /** Takes up what an earlier page could not save. */
  unstash() {
    const left = JSON.parse(windowStorage.get(this.stash) ?? '[]');
    for (const one of left) {
      this.all.set(keyOf(one), one);
      this.dirty.add(keyOf(one));
    }
    this.flush();
  }

  keep() {
    const left = this.unsaved().map((key) => this.all.get(key));
    if (left.length > 0) windowStorage.set(this.stash, JSON.stringify(left));
    else windowStorage.remove(this.stash);
  }

  /** Returns the annotation of the position that is shown. */
  here() {
    return this.all.get(keyOf(this.at)) ?? { ...this.at, comment: '', arrows: [], marks: [] };
  }

  change(changes, waits) {
    const key = keyOf(this.at);
    this.all.set(key, { ...this.here(), ...changes });
    this.dirty.add(key);
    this.refused.delete(key);
    this.changes++;
    this.keep();
    this.state(this.words.saving);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), waits ? SAVE_MS : 0);
  }

  /** Saves all that has changed. */
  flush() {
    clearTimeout(this.timer);
    for (const key of [...this.dirty]) if (!this.sending.has(key)) this.save(key);
  }

  async save(key) {
    const one = this.all.get(key);
    this.dirty.delete(key);
    const count = [...one.comment].length;
    if (count > this.most) return this.failed(key, fill(this.words.long, { count, most: this.most }));
    this.sending.add(key);
    const answer = await this.post('annotation', { 'x-rookery-annotation': encoded(one) });
    this.sending.delete(key);
    this.changes++;
    if (!answer || answer.status >= 500 || answer.status === 429) return this.again(key);
    this.attempts = 0;
    // Changed meanwhile: the answer is about what was there before.
    if (this.dirty.has(key)) return this.save(key);
    if (!answer.ok) return this.failed(key, (await answer.json().catch(() => ({}))).said ?? '');
    this.windows.postMessage(key);
    if (isEmpty(one)) this.all.delete(key);
    this.keep();
    if (this.unsaved().length === 0) this.state(this.words.saved);
    this.list();
  }

  /** There is no connection: tries again later. */
  again(key) {
    this.dirty.add(key);
    this.keep();
    this.state(fill(this.words['not-saved'], { why: this.words.lost }), true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), RETRY_MS[Math.min(this.attempts++, RETRY_MS.length - 1)]);
  }

  /** The server refuses it: it stays here until it is changed. */
  failed(key, why) {
    this.refused.add(key);
    this.keep();
    this.state(fill(this.words['not-saved'], { why: local(why) }), true);
    this.list();
  }

  post(path, headers = {}) {
    return post(`/play/${this.table}/${path}`, this.token, { keepalive: true, headers });
  }

  // --- What is shown

  /** Shows what belongs to a position of the game. */
  show({ record }, { ply, line }) {
    // Moves that the game itself goes on with are no variation.
    let same = 0;
    while (same < line.length && record[ply + same] === line[same]) same++;
    const at = { ply: ply + same, line: line.slice(same) };
    if (keyOf(at) !== keyOf(this.at)) {
      this.flush();
      this.pen.choose(null);
      if (this.unsaved().length === 0) this.state('');
    }
    Object.assign(this, { at, record });
    this.render();
  }

  /** Builds the panel, once. */
  build() {
    const { words } = this;
    const panel = $('annotations');
    document.head.append(h('link', { rel: 'stylesheet', href: new URL('./annotations.css', import.meta.url).href }));
    this.comment = h('textarea', { id: 'comment', rows: 3 });
    this.comment.addEventListener('input', () => this.change({ comment: this.comment.value }, true));
    this.comment.addEventListener('blur', () => this.flush());
    const draw = h('button', { type: 'button', id: 'draw', 'aria-pressed': 'false', onclick: () => this.draws(!this.pen.isOn) }, words.draw);
    panel.append(
      h('div', { class: 'heading' }, h('h2', {}, words.mine), draw),
      h('p', { id: 'draw-how', class: 'quiet', hidden: true }, words['draw-how']),
      h('label', { for: 'comment', class: 'hidden' }, words.comment), this.comment,
      h('ul', { id: 'drawn-words', 'aria-label': words.drawn }),
      h('p', { id: 'annotation-state', class: 'quiet', role: 'status' }),
      h('ol', { id: 'noted' }),
      h('div', { id: 'annotation-link' }));
    panel.hidden = false;
    addEventListener('online', () => this.flush());
    addEventListener('focus', () => this.load());
    addEventListener('pagehide', () => this.flush());
    document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? this.flush() : this.load()));
  }

  render() {
    if (!this.words) return;
    const { comment, arrows, marks } = this.here();
    if (this.comment.value !== comment) this.comment.value = comment;
    const drawn = [...arrows.map((text) => [text, ...text.split('-')]), ...marks.map((text) => [text, text, text])];
    const said = ([, from, to]) => (from === to ? fill(this.words.mark, { cell: from }) : fill(this.words.arrow, { from, to }));
    this.pen.show({ arrows, marks }, this.colours, drawn.map(said).join('. '));
    const item = (one) => h('li', {}, h('span', {}, said(one)),
      h('button', { type: 'button', class: 'small', 'data-key': `drawn ${one[0]}`, 'aria-label': fill(this.words.remove, { drawn: said(one) }), onclick: () => this.toggle(one[1], one[2]) }, '✕'));
    replace($('drawn-words'), drawn.map(item));
    this.list();
    this.share();
  }

  /** Lists the annotated positions, and marks their moves in the list of moves. */
  list() {
    const all = [...this.all.values()].filter((one) => !isEmpty(one));
    all.sort((a, b) => a.ply - b.ply || (a.line.join() < b.line.join() ? -1 : 1));
    const item = (one) => {
      const excerpt = [...one.comment.trim().split('\n')[0]];
      const text = excerpt.slice(0, EXCERPT).join('') + (excerpt.length > EXCERPT ? '…' : '');
      return h('li', {},
        h('button', { type: 'button', class: 'ply', 'data-key': `noted ${keyOf(one)}`, 'aria-current': keyOf(one) === keyOf(this.at) ? 'step' : null, onclick: () => this.navigation.go(one.ply, one.line) }, this.name(one)),
        ' ', h('span', { class: 'quiet' }, text));
    };
    replace($('noted'), all.map(item));
    const plies = new Set(all.filter((one) => one.line.length === 0).map((one) => String(one.ply)));
    for (const one of document.querySelectorAll('#record .ply')) {
      one.classList.toggle('noted', plies.has(one.dataset.ply));
      one.title = plies.has(one.dataset.ply) ? this.words.noted : '';
    }
  }

  name({ ply, line }) {
    const at = ply === 0 ? this.words['at-start'] : fill(this.words.at, { ply, move: this.record[ply - 1] });
    return line.length === 0 ? at : fill(this.words['in-line'], { at, line: line.join(' ') });
  }

  state(text, wrong = false) {
    $('annotation-state').textContent = text;
    $('annotation-state').classList.toggle('wrong', wrong);
  }

  // --- Drawing

  /** Switches the mode in which cells are drawn on. */
  draws(isOn) {
    this.pen.switch(isOn);
    $('draw').setAttribute('aria-pressed', String(isOn));
    $('draw-how').hidden = !isOn;
    this.switched();
  }

  hint(cell) {
    if (cell !== null) say(fill(this.words.choose, { cell }));
  }

  /** Adds an arrow or a mark, or removes it. */
  toggle(from, to) {
    if (!this.words) return;
    const { arrows, marks } = this.here();
    const [kind, list, text] = from === to ? ['marks', marks, from] : ['arrows', arrows, `${from}-${to}`];
    const isDrawn = list.includes(text);
    const told = from === to ? fill(this.words.mark, { cell: from }) : fill(this.words.arrow, { from, to });
    this.change({ [kind]: isDrawn ? list.filter((one) => one !== text) : [...list, text] }, false);
    say(isDrawn ? fill(this.words.removed, { drawn: told }) : told);
    this.render();
  }

  // --- The link

  share() {
    const { words } = this;
    if (!this.mayShare || this.shownLink === this.link) return;
    this.shownLink = this.link;
    const button = (id, text, onclick, kind) => h('button', { type: 'button', id, 'data-key': id, class: kind, onclick }, text);
    if (!this.link) return replace($('annotation-link'), [button('share-notes', words.share, () => this.ask('share'))]);
    const link = new URL(this.link, location.href).href;
    const input = h('input', { id: 'notes-link', readonly: true, 'aria-label': words.link, value: link });
    const copy = async () => {
      input.select();
      await navigator.clipboard?.writeText(link).then(() => this.state(words.copied), () => null);
    };
    replace($('annotation-link'), [h('p', { class: 'quiet' }, words.link), input,
      button('copy-notes', words.copy, copy), button('stop-notes', words.stop, () => this.ask('stop'), 'danger')]);
  }

  /** Makes the link, or withdraws it. */
  async ask(what) {
    this.flush();
    const answer = await this.post(`annotations/${what}`);
    const { link, said } = (await answer?.json().catch(() => null)) ?? {};
    if (!answer?.ok) return this.state(local(said ?? this.words['no-answer']), true);
    this.link = link;
    this.windows.postMessage(what);
    this.changes++;
    this.share();
  }
}

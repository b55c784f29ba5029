// The frame around the chat: side panels, theme, the connection banner, and global keys.
import { byId, fill, h } from './dom.js';
import { icon } from './icons.js';
import { avatar, choosePerson } from './people.js';
import { nameOf } from './store.js';

const THEMES = ['auto', 'dark', 'light'];
const THEME_ICONS = { auto: 'auto', dark: 'moon', light: 'sun' };

export class Shell {
  constructor(app) {
    this.app = app;
    this.body = document.body;
    this.banner = byId('banner');
    byId('open-channels').append(icon('menu', 22));
    byId('toggle-members').append(icon('people', 22));
    byId('slash-button').append(icon('slash', 22));
    byId('file-button').append(icon('plus', 22));
    byId('send').append(icon('send', 20));
    byId('to-bottom').append(icon('down', 18));
    byId('open-channels').addEventListener('click', () => this.openDrawer('channels', byId('channels')));
    byId('toggle-members').addEventListener('click', () => this.toggleMembers());
    byId('scrim').addEventListener('click', () => this.closeDrawers());
    document.addEventListener('keydown', (event) => this.onKey(event));
    app.store.on('members', () => this.paintMe());
    app.store.on('bot', () => this.paintBot());
    this.setTheme(read('rookery.theme') ?? 'auto');
    this.showMembers(read('rookery.members') !== 'off');
  }

  // ---- Person

  paintMe() {
    const { me } = this.app.store;
    if (!me) return;
    const who = h(
      'button',
      {
        class: 'me',
        type: 'button',
        'data-testid': 'person-switch',
        title: 'Choose who you are',
        onclick: () => choosePerson(me.id),
      },
      avatar(me, 34),
      h('span', { class: 'me-name' }, h('strong', null, nameOf(me)), h('small', null, 'Switch person')),
    );
    fill(byId('me-panel'), who, this.themeButton());
  }

  paintBot() {
    this.body.dataset.bot = this.app.store.botOnline ? 'online' : 'offline';
    this.paintBanner();
  }

  // ---- Theme

  themeButton() {
    const next = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    const label = `Theme: ${this.theme}. Change to ${next}`;
    const change = () => {
      this.setTheme(next);
      this.paintMe();
      byId('theme-toggle').focus();
    };
    return h(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: 'theme-toggle',
        'data-testid': 'theme-toggle',
        'aria-label': label,
        title: label,
        onclick: change,
      },
      icon(THEME_ICONS[this.theme], 20),
    );
  }

  setTheme(theme) {
    this.theme = THEMES.includes(theme) ? theme : 'auto';
    document.documentElement.dataset.theme = this.theme;
    write('rookery.theme', this.theme);
  }

  // ---- Side panels and the member list

  openDrawer(name, focus) {
    this.body.dataset.drawer = name;
    byId('main').inert = true;
    const panel = focus.closest('#left, #members');
    panel.setAttribute('role', 'dialog');
    panel.setAttribute('aria-modal', 'true');
    focus.querySelector('[aria-current], a, button')?.focus();
  }

  closeDrawers() {
    if (!this.body.dataset.drawer) return false;
    delete this.body.dataset.drawer;
    byId('main').inert = false;
    for (const panel of [byId('left'), byId('members')]) panel.removeAttribute('aria-modal');
    byId('left').setAttribute('role', 'region');
    byId('members').setAttribute('role', 'complementary');
    return true;
  }

  toggleMembers() {
    if (matchMedia('(max-width: 1000px)').matches) {
      if (!this.closeDrawers()) this.openDrawer('members', byId('members'));
      return;
    }
    this.showMembers(!this.membersShown);
  }

  showMembers(shown) {
    this.membersShown = shown;
    this.body.dataset.members = shown ? 'on' : 'off';
    byId('toggle-members').setAttribute('aria-pressed', String(shown));
    write('rookery.members', shown ? 'on' : 'off');
  }

  // ---- Connection

  onRetry(retry) {
    this.retry = retry;
  }

  showLost(wait) {
    this.lostFor = wait;
    this.paintBanner();
  }

  showConnected() {
    this.lostFor = null;
    this.paintBanner();
  }

  paintBanner() {
    const lost = typeof this.lostFor === 'number';
    const botGone = !this.app.store.botOnline;
    this.banner.hidden = !lost && !botGone;
    this.banner.className = lost ? 'lost' : 'calm';
    if (lost)
      fill(
        this.banner,
        'The connection is lost; trying again. ',
        h('button', { type: 'button', onclick: () => this.retry() }, 'Try now'),
      );
    else if (botGone) fill(this.banner, `${this.app.botName()} is offline. What you write now, it may not read.`);
  }

  // ---- Keys

  onKey(event) {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      const next = this.app.sidebar.neighbour(event.key === 'ArrowUp' ? -1 : 1);
      if (next) this.app.open(next);
      event.preventDefault();
    } else if (event.key === 'Escape') this.onEscape();
    else if (this.beginsText(event)) this.app.composer.focus();
  }

  /** Whether a key begins a message: a letter where nothing is written, also on a button, which a blank presses. */
  beginsText({ key, target, ctrlKey, metaKey, altKey }) {
    if (key.length !== 1 || ctrlKey || metaKey || altKey) return false;
    return target === this.body || target.matches('.message') || (key !== ' ' && target.matches('#feed :is(button, a)'));
  }

  onEscape() {
    if (this.closeDrawers()) {
      byId('open-channels').focus();
      return;
    }
    this.app.feed.scrollToEnd();
    this.app.composer.focus();
  }
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* The choice then lasts until the next reload. */
  }
}

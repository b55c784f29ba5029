// The Activity: the application's pages in a frame, and Discord's answers to what the frame asks. The frame is a stranger: its
// messages are read strictly, and it learns only what Discord would tell it.
import { byId, fill, h, toast } from './dom.js';
import { icon } from './icons.js';
import { openDialog } from './popup.js';

const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;

const NORMAL = 1000;
const INVALID_CLIENT_ID = 4000;
const INVALID_VERSION = 4004;
const INVALID_ENCODING = 4005;

// Errors of commands.
const INVALID_PAYLOAD = 4000;
const INVALID_COMMAND = 4002;
const INVALID_EVENT = 4004;
const OAUTH2_ERROR = 5000;

const EVENTS = ['ACTIVITY_LAYOUT_MODE_UPDATE', 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'];
const FOCUSED = 0;
const PICTURE_IN_PICTURE = 1;

class CommandError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Activity {
  constructor(app) {
    this.app = app;
    this.open = null;
    addEventListener('message', (event) => this.receive(event));
  }

  /** Handles an event about activities; returns whether it was one. */
  hear({ t: name, d: data }) {
    if (name === 'ACTIVITY_LAUNCH') {
      // Another tab of the same person has pressed.
      if (this.app.interactions.isMine(data.interaction_id)) this.launch(data);
      return true;
    }
    if (name !== 'ACTIVITY_PARTICIPANTS') return false;
    if (data.instance_id === this.open?.instance_id) this.emit('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', data);
    return true;
  }

  // ---- The window with the frame

  launch(data) {
    this.remove();
    const origin = `http://${data.application_id}.localhost:${location.port}`;
    const { frame_id, instance_id, channel_id, guild_id } = data;
    const platform = this.app.isNarrow() ? 'mobile' : 'desktop';
    const query = new URLSearchParams({ frame_id, instance_id, platform, channel_id, ...(guild_id && { guild_id }) });
    const frame = h('iframe', {
      src: `${origin}/?${query}`,
      title: this.app.botName(),
      'data-testid': 'activity-frame',
      // The frame may know which client shows it, and nothing more.
      referrerpolicy: 'origin',
      sandbox: 'allow-scripts allow-same-origin allow-forms',
      allow: 'autoplay',
    });
    const button = (name, label, onclick) =>
      h('button', { class: 'icon-button', type: 'button', 'aria-label': label, title: label, 'data-testid': `activity-${name}`, onclick }, icon(name === 'close' ? 'close' : 'down'));
    const node = h(
      'section',
      { id: 'activity', 'aria-label': this.app.botName(), 'data-testid': 'activity' },
      h(
        'header',
        null,
        h('strong', null, this.app.botName()),
        button('small', 'Smaller or larger', () => this.resize()),
        button('close', 'Leave the activity', () => this.leave()),
      ),
      frame,
    );
    this.open = { ...data, origin, platform, node, frame, layout: FOCUSED, ready: false, events: new Set() };
    byId('main').append(node);
    frame.focus();
  }

  /** The person leaves. */
  leave() {
    if (!this.open) return;
    this.post([CLOSE, { code: NORMAL, message: '' }]);
    this.end();
  }

  end() {
    const { frame_id: frame } = this.open;
    this.remove();
    // The server closes it too when the last page of the person is gone.
    this.app.api.activity('close', { frame_id: frame }).catch((error) => toast(error.message, 'danger'));
  }

  remove() {
    this.open?.node.remove();
    this.open = null;
  }

  resize() {
    const { open } = this;
    open.layout = open.layout === FOCUSED ? PICTURE_IN_PICTURE : FOCUSED;
    open.node.classList.toggle('small', open.layout !== FOCUSED);
    this.emit('ACTIVITY_LAYOUT_MODE_UPDATE', { layout_mode: open.layout });
  }

  // ---- Messages

  post(message) {
    this.open?.frame.contentWindow?.postMessage(message, this.open.origin);
  }

  emit(evt, { instance_id: _, ...data }) {
    if (this.open?.events.has(evt)) this.post([FRAME, { cmd: 'DISPATCH', evt, nonce: null, data }]);
  }

  /** Closes a frame that breaks the protocol. */
  refuse(code, message) {
    this.post([CLOSE, { code, message }]);
    if (this.open) this.open.ready = false;
    toast(`The activity was refused: ${message}`, 'danger');
  }

  receive({ source, origin, data }) {
    const { open } = this;
    if (!open || source !== open.frame.contentWindow || origin !== open.origin) return;
    if (!Array.isArray(data) || data.length !== 2 || data[1] === null || typeof data[1] !== 'object') return;
    const [opcode, payload] = data;
    if (opcode === HANDSHAKE) this.shake(payload);
    else if (opcode === CLOSE) this.closedByFrame(payload);
    else if (opcode === FRAME && open.ready) this.answer(open, payload);
  }

  /** The frame begins, also after it was loaded again. */
  shake({ v, encoding, client_id: client, frame_id: frame }) {
    const { open } = this;
    open.events.clear();
    if (v !== 1) return this.refuse(INVALID_VERSION, 'Invalid version');
    if (encoding !== 'json') return this.refuse(INVALID_ENCODING, 'Invalid encoding');
    if (client !== open.application_id || frame !== open.frame_id)
      return this.refuse(INVALID_CLIENT_ID, 'Invalid client ID');
    open.ready = true;
    const config = { api_endpoint: '//discord.com/api', environment: 'production' };
    return this.post([FRAME, { cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config } }]);
  }

  closedByFrame({ code, message }) {
    if (code !== NORMAL && message) toast(String(message), 'danger');
    this.end();
  }

  async answer(open, { cmd, evt = null, args = {}, nonce }) {
    if (typeof nonce !== 'string' || typeof cmd !== 'string') return;
    const reply = (part) => {
      // The frame may be another one by now.
      if (this.open === open) this.post([FRAME, { cmd, nonce, ...part }]);
    };
    try {
      reply({ evt: null, data: await this.carryOut(open, cmd, evt, args ?? {}) });
    } catch (error) {
      const code = error instanceof CommandError ? error.code : (error.body?.code ?? INVALID_PAYLOAD);
      reply({ evt: 'ERROR', data: { code, message: error.message } });
    }
  }

  async carryOut(open, cmd, evt, args) {
    const ask = (what, body) => this.app.api.activity(what, { frame_id: open.frame_id, ...body });
    switch (cmd) {
      case 'SUBSCRIBE':
        return this.subscribe(open, evt);
      case 'UNSUBSCRIBE':
        open.events.delete(evt);
        return { evt };
      case 'AUTHORIZE':
        return this.authorize(ask, args);
      case 'AUTHENTICATE':
        return ask('authenticate', { access_token: args.access_token });
      case 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS':
        return ask('participants', {});
      case 'SET_ORIENTATION_LOCK_STATE':
        return lock(open, args);
      case 'OPEN_EXTERNAL_LINK':
        return { opened: await leaveFor(args.url) };
      default:
        throw new CommandError(INVALID_COMMAND, `Invalid command: ${cmd}`);
    }
  }

  subscribe(open, evt) {
    if (!EVENTS.includes(evt)) throw new CommandError(INVALID_EVENT, `Invalid event: ${evt}`);
    open.events.add(evt);
    if (evt === 'ACTIVITY_LAYOUT_MODE_UPDATE') setTimeout(() => this.emit(evt, { layout_mode: open.layout }));
    return { evt };
  }

  /** Gives a code if the person agrees, or has agreed before. */
  async authorize(ask, args) {
    const first = await ask('authorize', { args });
    if (first.code) return { code: first.code };
    if (!(await consents(this.app.botName()))) throw new CommandError(OAUTH2_ERROR, 'OAuth2 Error: access_denied');
    const { code } = await ask('authorize', { args, agreed: true });
    return { code };
  }
}

/** Only phones turn their screen. */
function lock(open, args) {
  if (open.platform !== 'mobile') throw new CommandError(INVALID_COMMAND, 'Invalid command');
  if (![1, 2, 3].includes(args.lock_state)) throw new CommandError(INVALID_PAYLOAD, 'lock_state must be 1, 2 or 3');
  open.node.dataset.lock = args.lock_state;
  return {};
}

/** Asks a question with a yes and a no; resolves to the choice. */
function question(title, testid, content, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog({ title, testid, onClose: () => resolve(answer) });
    const choose = (value) => () => {
      answer = value;
      dialog.close();
    };
    fill(dialog.body, content);
    const no = h('button', { class: 'button secondary', type: 'button', 'data-testid': `${testid}-no`, onclick: choose(false) }, 'Cancel');
    yes.addEventListener('click', choose(true));
    fill(dialog.foot, no, yes);
    yes.focus();
  });
}

function consents(name) {
  const text = h('p', null, 'This lets it know your name and picture.');
  const yes = h('button', { class: 'button primary', type: 'button', 'data-testid': 'consent-yes' }, 'Authorize');
  return question(`${name} wants to access your account`, 'consent', text, yes);
}

/** Asks before a link is opened that leads out of Discord. */
function leaveFor(url) {
  let address = null;
  try {
    address = new URL(url);
  } catch {
    // It's no address.
  }
  if (!['http:', 'https:'].includes(address?.protocol)) throw new CommandError(INVALID_PAYLOAD, 'url is not an address');
  const text = h('p', { class: 'confirm-quote' }, address.href);
  const link = { class: 'button primary', href: address.href, target: '_blank', rel: 'noopener noreferrer', 'data-testid': 'leave-yes' };
  return question('Leaving Discord', 'leave', text, h('a', link, 'Visit site'));
}

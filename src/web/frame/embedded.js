// Speaks with Discord's client, which holds this page in a frame. Messages are arrays of an opcode and its payload. A command
// has a nonce, by which its reply is known; events come after they were subscribed to.

const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;

const READY_MS = 15_000;
const REPLY_MS = 10_000;

/** The code for the end of a frame that is nobody's fault. */
export const NORMAL = 1000;

/** An error that Discord reports, by its number; 0 if Discord didn't answer. */
export class EmbeddedError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Embedded {
  /**
   * `parents` are the origins of Discord's clients. `closed` is called with a code and a text when Discord ends the
   * frame.
   */
  constructor({ application, frame, parents, closed }) {
    this.application = application;
    this.frame = frame;
    // A client in the browser may show the frame in a window of its own.
    this.peer = window.parent.opener ?? window.parent;
    this.origins = [...parents, location.origin, 'null'];
    this.target = parents.find((origin) => document.referrer.startsWith(`${origin}/`)) ?? '*';
    this.closed = closed;
    this.replies = new Map();
    this.listeners = new Map();
    this.ready = new Promise((resolve) => {
      this.isReady = resolve;
    });
    addEventListener('message', (event) => this.hear(event));
  }

  /** Begins; resolves when Discord is ready. */
  async begin() {
    this.send(HANDSHAKE, { v: 1, encoding: 'json', client_id: this.application, frame_id: this.frame });
    await within(READY_MS, this.ready);
  }

  /** Sends a command; resolves to the data of its reply. */
  async command(cmd, args, wait = REPLY_MS) {
    const nonce = crypto.randomUUID();
    const reply = new Promise((resolve, reject) => this.replies.set(nonce, { resolve, reject }));
    this.send(FRAME, { cmd, args, nonce });
    try {
      return await within(wait, reply);
    } finally {
      // A reply that comes later is ignored.
      this.replies.delete(nonce);
    }
  }

  /** Calls `listener` with the data of each event of a kind from now on. */
  async subscribe(evt, listener, args) {
    this.listeners.set(evt, listener);
    const nonce = crypto.randomUUID();
    const reply = new Promise((resolve, reject) => this.replies.set(nonce, { resolve, reject }));
    this.send(FRAME, { cmd: 'SUBSCRIBE', evt, args, nonce });
    try {
      await within(REPLY_MS, reply);
    } finally {
      this.replies.delete(nonce);
    }
  }

  /** Asks Discord to end the frame. */
  close(code, message) {
    this.send(CLOSE, { code, message, nonce: crypto.randomUUID() });
  }

  send(opcode, payload) {
    this.peer.postMessage([opcode, payload], this.target);
  }

  hear({ source, origin, data }) {
    if (source !== this.peer || !this.origins.includes(origin) || !Array.isArray(data)) return;
    const [opcode, payload] = data;
    if (payload === null || typeof payload !== 'object') return;
    if (opcode === CLOSE) this.closed(payload.code, payload.message);
    else if (opcode === FRAME) this.take(payload, origin);
  }

  take({ cmd, evt, nonce, data }, origin) {
    if (cmd === 'DISPATCH') {
      if (evt === 'READY') this.pin(origin);
      else this.listeners.get(evt)?.(data ?? {});
      return;
    }
    // What this page sent itself comes back where the client is no other window; it has no data.
    const reply = data === undefined ? null : this.replies.get(nonce);
    if (!reply) return;
    if (evt === 'ERROR') reply.reject(new EmbeddedError(data?.code ?? 0, data?.message ?? ''));
    else reply.resolve(data);
  }

  /** From the first answer on, nothing is sent to another origin. */
  pin(origin) {
    this.origins = [origin];
    if (origin !== 'null') this.target = origin;
    this.isReady();
  }
}

/** Waits for a promise, at most this many milliseconds. */
function within(ms, promise) {
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new EmbeddedError(0, 'no answer')), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

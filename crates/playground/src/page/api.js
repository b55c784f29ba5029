// The only file that sends requests: HTTP under /page, and one WebSocket that reconnects by itself.

/** A refusal by the server; its message is the server's sentence. */
class ApiError extends Error {
  constructor(status, body) {
    super(body?.message ?? `The playground answered ${status}.`);
    this.status = status;
    /** Whether the server wasn't reached. */
    this.isUnsent = status === 0;
    this.body = body;
  }
}

const tokenIn = (page) => page.querySelector('meta[name=playground-token]')?.content ?? '';

// The server generates a new token at each start, so that pages of other sites cannot know it.
let token = tokenIn(document);

/** Fetches the token of the running server; returns whether it has changed. */
async function renewToken() {
  const before = token;
  const response = await fetch('/page/');
  token = tokenIn(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return token !== before;
}

async function ask(method, path, { as, body, file }) {
  const headers = {
    'X-Playground-Token': token,
    ...(as && { 'X-Playground-User': as }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(file && { 'Content-Type': 'application/octet-stream' }),
  };
  return fetch(`/page${path}`, { method, headers, body: body === undefined ? file : JSON.stringify(body) });
}

async function call(method, path, options = {}) {
  let response;
  try {
    response = await ask(method, path, options);
    // A rejected token is from an earlier start.
    if (response.status === 403 && (await renewToken())) response = await ask(method, path, options);
  } catch {
    throw new ApiError(0, { message: 'Can\'t reach the playground. Is Rookery still running?' });
  }
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

export const listUsers = () => call('GET', '/users');
export const addUser = (name) => call('POST', '/users', { body: { name } });

/** All requests of a person. */
export function personApi(as) {
  const get = (path) => call('GET', path, { as });
  const post = (path, body) => call('POST', path, { as, body });
  return {
    state: () => get('/state'),
    messages: (channel, before) => get(`/channels/${channel}/messages?limit=50${before ? `&before=${before}` : ''}`),
    send: (channel, message) => post(`/channels/${channel}/messages`, message),
    typing: (channel) => post(`/channels/${channel}/typing`),
    remove: (channel, message) => call('DELETE', `/channels/${channel}/messages/${message}`, { as }),
    openDm: (recipient) => post('/dms', { recipient_id: recipient }),
    upload: (file) => call('POST', `/files?name=${encodeURIComponent(file.name)}`, { as, file }),
    interact: (body) => post('/interactions', body),
    activity: (what, body) => post(`/activity/${what}`, body),
  };
}

const FIRST_WAIT_MS = 500;
/** The program is on this machine, and is back soon after it was stopped. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Keeps a WebSocket open for a person. `onUp` runs after each (re)connection, `onDown(waitMs)` when it is lost.
 * Returns a function that tries again at once.
 */
export function connect(as, { onUp, onDown, onEvent }) {
  let wait = FIRST_WAIT_MS;
  let timer = 0;
  let socket = null;

  function open() {
    clearTimeout(timer);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}/page/ws?as=${encodeURIComponent(as)}&token=${token}`);
    socket.onopen = () => {
      wait = FIRST_WAIT_MS;
      onUp();
    };
    socket.onmessage = ({ data }) => onEvent(JSON.parse(data));
    socket.onclose = again;
  }

  function again() {
    // Half of the delay is random, so that many tabs do not reconnect at the same moment.
    const delay = wait / 2 + (Math.random() * wait) / 2;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    onDown(delay);
    timer = setTimeout(open, delay);
  }

  open();
  return () => {
    if (socket.readyState === WebSocket.CLOSED) {
      wait = FIRST_WAIT_MS;
      open();
    }
  };
}

// Requests of the page, which outlive a lost connection.

import { notice } from './dom.js';

const RETRY_MS = [500, 1000, 2000, 4000, 8000];

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests something; null without a connection. */
export async function fetchOrNull(address, options) {
  try {
    return await fetch(address, { cache: 'no-store', ...options });
  } catch {
    return null;
  }
}

/** Sends a request that changes or costs something, with the page's token; null without a connection. */
export const post = (address, token, { headers, ...options } = {}) =>
  fetchOrNull(address, { method: 'POST', headers: { 'x-rookery-page': token, ...headers }, ...options });

/** Requests JSON, again for a while if there is no connection; null if there is none, or no such thing. The words say so. */
export async function fetchJson(address, { lost, 'no-answer': noAnswer }) {
  for (const wait of RETRY_MS) {
    const answer = await fetchOrNull(address);
    if (answer?.ok && wait > RETRY_MS[0]) notice('');
    if (answer?.ok) return answer.json();
    const isLost = !answer || answer.status >= 500 || answer.status === 429;
    notice(isLost ? lost : (await answer.json().catch(() => ({}))).said, true);
    if (!isLost) return null;
    await pause(wait);
  }
  notice(noAnswer, true);
  return null;
}

/**
 * Sends an order with the page's token, again until the server takes or refuses it; `onLost()` is called before each wait. Returns
 * the response, or null once `isStale()`.
 */
export async function sendOrder(address, token, { onLost, isStale = () => false }) {
  for (let attempt = 0; !isStale(); attempt++) {
    const answer = await post(address, token);
    if (isStale()) return null;
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    onLost();
    await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
  }
  return null;
}

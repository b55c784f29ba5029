// Requests of the page, which outlive a lost connection.

import { notice } from './dom.js';

export const RETRY_MS = [500, 1000, 2000, 4000, 8000];

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests something; null without a connection. */
export async function asked(address, options) {
  try {
    return await fetch(address, { cache: 'no-store', ...options });
  } catch {
    return null;
  }
}

/** Requests a JSON, again while there is no connection, which `lost` says; null if there is none. */
export async function found(address, lost) {
  for (const wait of RETRY_MS) {
    const answer = await asked(address);
    if (answer?.ok && wait > RETRY_MS[0]) notice('');
    if (answer?.ok) return answer.json();
    const isLost = !answer || answer.status >= 500 || answer.status === 429;
    notice(isLost ? lost : (await answer.json().catch(() => ({}))).said, true);
    if (!isLost) return null;
    await pause(wait);
  }
  return null;
}

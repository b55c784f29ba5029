// The players and their clocks.

import { $, h } from './dom.js';

/**
 * Shows the players above and below the board; the person, or else the first, is below. At a `view` of another position
 * they have the turn and the points of then.
 */
export function showPlayers(state, words, view) {
  const players = state.players.map((player, seat) =>
    view ? { ...player, turn: view.turn === seat, score: view.scores?.[seat] ?? null } : player);
  const strip = (player, seat) =>
    h('div', { class: `player${player.turn ? ' turn' : ''}`, 'data-seat': seat },
      emblem(player),
      h('span', { class: 'name' }, player.name, ...(player.you ? [' ', h('span', { class: 'you' }, words.you)] : [])),
      player.score === null ? '' : h('span', { class: 'score' }, player.score),
      player.clock === null ? '' : h('span', { class: 'clock' }));
  const all = players.map(strip);
  const own = state.players.findIndex((player) => player.you);
  const under = all.filter((_, seat) => (own < 0 ? seat === 0 : seat === own));
  $('over').replaceChildren(...all.filter((one) => !under.includes(one)));
  $('under').replaceChildren(...under);
}

function emblem(player) {
  const made = h('span', { class: 'emblem' });
  made.innerHTML = player.emblem;
  return made;
}

/** Shows the clocks; `gone` milliseconds have passed since the state. */
export function showClocks(state, gone) {
  state.players.forEach((player, seat) => {
    const clock = document.querySelector(`[data-seat="${seat}"] .clock`);
    if (!clock) return;
    const { left_ms: sent, runs } = player.clock;
    const left = Math.max(0, sent - (runs ? gone : 0));
    clock.textContent = duration(left);
    clock.classList.toggle('low', runs && left < 30000);
  });
}

function duration(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [days, hours] = [Math.floor(seconds / 86400), Math.floor((seconds % 86400) / 3600)];
  const [minutes, rest] = [Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (number) => String(number).padStart(2, '0');
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

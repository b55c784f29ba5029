"use strict";
// Steps without loading the page again, and updates the page of a running game.
(() => {
  const main = document.querySelector("main");
  const by = (id) => document.getElementById(id);
  const address = main.dataset.address;
  let ply = Number(main.dataset.ply);
  let last = Number(main.dataset.last);
  // The sequence number of the table's entry at which the page was rendered.
  let seen = main.dataset.entry;
  // Games without territory have no such button.
  let territory = by("territory")?.getAttribute("aria-current") === "true";
  let asked = 0;
  const RETRY_MS = 2000;

  const query = (to) => `?ply=${to}${territory ? "&territory=true" : ""}`;

  async function go(to, remember = true) {
    const own = ++asked;
    const answer = await fetch(`${address}/step${query(Math.max(0, to))}`).catch(() => null);
    // If steps are faster than responses, only the last one is shown.
    if (own !== asked) return;
    // The link was withdrawn: the page explains how to get another.
    if (answer?.status === 404) return location.reload();
    if (!answer?.ok) {
      // The server is busy, or the connection is lost. Others who watch try again at other moments.
      setTimeout(() => own === asked && go(to, remember), RETRY_MS * (0.5 + Math.random()));
      return;
    }
    const step = await answer.json();
    ply = step.ply;
    last = step.last;
    by("board").src = step.picture;
    by("board").alt = step.alt;
    by("state").textContent = step.state;
    by("text").textContent = step.text;
    by("record").innerHTML = step.record;
    by("position").value = step.position;
    by("played").textContent = step.played;
    by("back").href = address + query(Math.max(0, ply - 1));
    by("next").href = address + query(Math.min(last, ply + 1));
    by("legend").textContent = step.legend;
    by("territory")?.setAttribute("aria-current", territory);
    if (remember) history.replaceState(null, "", address + query(ply));
  }

  const deeds = {
    first: () => go(0),
    back: () => go(ply - 1),
    next: () => go(Math.min(last, ply + 1)),
    latest: () => go(last),
    territory: () => { territory = !territory; go(ply); },
  };
  for (const [id, deed] of Object.entries(deeds)) {
    by(id)?.addEventListener("click", (event) => { event.preventDefault(); deed(); });
  }
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "latest", t: "territory" };
  document.addEventListener("keydown", (event) => {
    const deed = deeds[keys[event.key]];
    if (!deed || !by(keys[event.key]) || event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    deed();
  });

  function listen() {
    const events = new EventSource(`${address}/events`);
    events.onerror = () => {
      // The browser reconnects a lost stream by itself, but not one that was refused or ended: then the step says why.
      if (events.readyState !== EventSource.CLOSED) return;
      go(ply, false);
      setTimeout(listen, RETRY_MS * (1 + Math.random()));
    };
    events.onmessage = (event) => {
      if (event.lastEventId === seen) return;
      seen = event.lastEventId;
      const follows = ply === last;
      last = Number(event.data);
      // A reader of an earlier board stays there.
      if (follows) go(last, false);
    };
  }
  listen();
})();

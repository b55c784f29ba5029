// The address of a tab: `?as=<user id>` is the person, `#/channel/<id>` the channel. Both survive a reload.

/** Returns the tab's person, or null if the address has none. */
export const personInUrl = () => new URLSearchParams(location.search).get('as');

/** Returns the channel in the address, or null. */
export const channelInUrl = () => /^#\/channel\/(\d+)$/.exec(location.hash)?.[1] ?? null;

/** Returns the address of another person's page at the same channel. */
export const personUrl = (id) => `?as=${encodeURIComponent(id)}${location.hash}`;

export const channelUrl = (id) => `#/channel/${id}`;

/** Writes the person into the address without a reload. */
export const rememberPerson = (id) => history.replaceState(null, '', personUrl(id));

/** Writes the channel into the address; the browser's back button returns to the previous one. */
export function rememberChannel(id) {
  const first = channelInUrl() === null;
  if (channelInUrl() !== id)
    history[first ? 'replaceState' : 'pushState'](null, '', location.search + channelUrl(id));
}

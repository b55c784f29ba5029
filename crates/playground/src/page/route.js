// Where a tab is: `?as=<user id>` is who, `#/channel/<id>` is where. Both survive a reload.

/** The person this tab speaks for, or null when the address does not say. */
export const personInUrl = () => new URLSearchParams(location.search).get('as');

/** The channel in the address, or null. */
export const channelInUrl = () => /^#\/channel\/(\d+)$/.exec(location.hash)?.[1] ?? null;

/** The address of a person's page, at the place this tab is at. */
export const personUrl = (id) => `?as=${encodeURIComponent(id)}${location.hash}`;

export const channelUrl = (id) => `#/channel/${id}`;

/** Writes the person into the address without a reload. */
export const rememberPerson = (id) => history.replaceState(null, '', personUrl(id));

/** Writes the channel into the address; going back in the browser goes back to the last one. */
export function rememberChannel(id) {
  const first = channelInUrl() === null;
  if (channelInUrl() !== id)
    history[first ? 'replaceState' : 'pushState'](null, '', location.search + channelUrl(id));
}

/** The options that a URL may propose: see query-options.ts. */
const OPTIONS = ['kind', 'views', 'duration', 'click', 'deletable'];

/**
 * Removes everything but these options from the address bar and the history, where a secret or a passphrase must not
 * stay.
 */
export function cleanUrl(): void {
  const kept = [...new URLSearchParams(location.search)].filter(([name]) => OPTIONS.includes(name));
  const query = new URLSearchParams(kept).toString();
  const search = query === '' ? '' : `?${query}`;
  if (location.search !== search) history.replaceState(history.state, '', location.pathname + search);
}

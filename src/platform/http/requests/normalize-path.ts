/** Only paths that match this can differ from their normal form. */
const MAY_CHANGE = /\/\/|.\/$|\.json$|^\/[a-z]{2}(?:-[A-Z]{2})?\/|^\/p\/.*%/;

/** The fragment of a link whose `#` mail gateways have encoded, once or several times. */
const ENCODED_FRAGMENT = /^(\/p\/[^%.]+)%(?:25){0,3}23.*$/;

/** `en` or `pt-BR`: older clients and integrations put one in front of the paths of the legacy API. */
const LOCALE = String.raw`\/[a-z]{2}(?:-[A-Z]{2})?`;
const LEGACY_API = String.raw`\/[pfr](?:\/.+)?\.json|\/api\/v1\/.+`;
const LEGACY_API_WITH_LOCALE = new RegExp(`^${LOCALE}(${LEGACY_API})$`);

/**
 * The URL of a request with its path in normal form: `//api//v2/version.json/` becomes `/api/v2/version`. There is no
 * redirect, because API clients do not follow them. See docs/api.md, Paths, and docs/api-v1.md.
 */
export function normalizePath(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!MAY_CHANGE.test(path) || !path.startsWith('/')) return url; // the `*` of OPTIONS, or a URL with its host
  return normalized(path) + (end < 0 ? '' : url.slice(end));
}

/**
 * Removes doubled and trailing slashes everywhere, `.json` at the end of paths under /api, a locale before a path of
 * the legacy API, and whatever follows an encoded `#` in a link (the page restores it as the fragment).
 */
function normalized(path: string): string {
  const withoutSlashes = path
    .replace(/\/{2,}/g, '/')
    .replace(ENCODED_FRAGMENT, '$1')
    .replace(/(.)\/$/, '$1');
  const withoutLocale = withoutSlashes.replace(LEGACY_API_WITH_LOCALE, '$1');
  return /^\/api(\/|\.json$)/.test(withoutLocale) ? withoutLocale.replace(/\.json$/, '') : withoutLocale;
}

/** Whether the path of a URL can be decoded. */
export function hasDecodablePath(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.replace(/\?.*$/s, ''));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the path of PUBLIC_URL from the beginning of a request's URL: `/push//p/TOKEN` becomes `/p/TOKEN`. A URL that
 * does not begin with it is left as it is, because the proxy may have removed it. The two cannot be confused: no path of
 * ours begins as PUBLIC_URL's may (settings/parse-public-url.ts).
 */
export function basePathRemover(basePath: string): (url: string) => string {
  if (basePath === '') return (url) => url;
  const beginning = new RegExp(`^${basePath.replaceAll('.', '\\.').replaceAll('/', '/+')}(?=[/?]|$)/*`);
  return (url) => url.replace(beginning, '/');
}

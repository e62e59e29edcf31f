/** Any base does: a path that leads to another host is recognised by the change. */
const BASE = 'http://localhost';

/** The path, with its query, if it is one of this site, otherwise that of the front page. */
export function localPath(path: string | undefined): string {
  const url = path?.startsWith('/') === true ? URL.parse(path, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}

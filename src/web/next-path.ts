import { URL_TOKEN } from './url-token.pipe.js';

const PATHS = ['/', '/pushes', '/pushes/expired', '/users/edit', '/users/token'];
const AUDIT = new RegExp(`^/p/${URL_TOKEN}/audit$`);

/** Where to go after signing in: the requested page if it is one of ours, otherwise the list of pushes. */
export function nextPath(requested: unknown): string {
  const isOurs = typeof requested === 'string' && (PATHS.includes(requested) || AUDIT.test(requested));
  return isOurs ? requested : '/pushes';
}

import { localPath } from '../pages/local-path.js';
import { URL_TOKEN } from '../pages/url-token.pipe.js';

const LISTS = ['/pushes', '/pushes/expired'];
const PATHS = ['/', ...LISTS, '/users/edit', '/users/token', '/users/signed_in', '/admin', '/admin/accounts'];
const MANAGED_ACCOUNT = /^\/admin\/accounts\/[0-9a-f-]{36}$/;
const AUDIT = new RegExp(`^/p/${URL_TOKEN}/audit$`);
const EMAIL_LINK = new RegExp(`^/users/email/${URL_TOKEN}$`);
const PATTERNS = [AUDIT, MANAGED_ACCOUNT, EMAIL_LINK];
const MAX_LENGTH = 2000;

/** Where to go after signing in: the requested page if it is one of ours, otherwise the list of pushes. */
export function nextPath(requested: unknown): string {
  return ownPath(requested, (path) => PATHS.includes(path) || PATTERNS.some((pattern) => pattern.test(path)));
}

/** The page of the list to return to. */
export function safeListPath(requested: unknown): string {
  return ownPath(requested, (path) => LISTS.includes(path));
}

/** The path with its query, in the spelling of a URL parser, so that no browser reads it in another way. */
function ownPath(requested: unknown, isOurs: (path: string) => boolean): string {
  if (typeof requested !== 'string' || requested.length > MAX_LENGTH) return '/pushes';
  const path = localPath(requested);
  const isPath = requested.startsWith('/') && (path !== '/' || /^\/(\?|#|$)/.test(requested));
  return isPath && isOurs(path.split('?')[0] ?? '') ? path : '/pushes';
}

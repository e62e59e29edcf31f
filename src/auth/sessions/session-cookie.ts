import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { CookieScope } from '../../platform/http/public-url.js';

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/**
 * With TLS, a name that no unencrypted connection can set, and no other host either, which browsers only grant to cookies
 * of the whole host (RFC 6265bis, 4.1.3).
 */
function nameOf({ path, isSecure }: CookieScope): string {
  if (!isSecure) return 'sealpush';
  return path === '/' ? '__Host-sealpush' : '__Secure-sealpush';
}

/** The value of a request's session cookie; undefined when it has none. */
export function readSessionCookie({ headers }: Request, scope: CookieScope): string | undefined {
  return parseCookie(headers.cookie ?? '')[nameOf(scope)] || undefined;
}

/** The `Set-Cookie` header that sets the session cookie; without a token, it deletes the cookie. */
export function sessionCookie(token: string | undefined, scope: CookieScope): string {
  return stringifySetCookie({
    name: nameOf(scope),
    value: token ?? '',
    path: scope.path,
    maxAge: token === undefined ? 0 : MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: scope.isSecure,
  });
}

import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/** With TLS, a name that no other host and no unencrypted connection can set (RFC 6265bis, 4.1.3.2). */
const nameOf = (isSecure: boolean) => (isSecure ? '__Host-sealpush' : 'sealpush');

/** The value of a request's session cookie; undefined when it has none. */
export function readSessionCookie({ headers }: Request, isSecure: boolean): string | undefined {
  return parseCookie(headers.cookie ?? '')[nameOf(isSecure)] || undefined;
}

/** The `Set-Cookie` header that sets the session cookie; without a token, it deletes the cookie. */
export function sessionCookie(token: string | undefined, isSecure: boolean): string {
  return stringifySetCookie({
    name: nameOf(isSecure),
    value: token ?? '',
    path: '/',
    maxAge: token === undefined ? 0 : MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
}

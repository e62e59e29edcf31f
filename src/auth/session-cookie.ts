import type { Request } from 'express';

const LONGEST_SECONDS = 14 * 24 * 60 * 60;

/** With TLS, one that no other host and no plain connection can set (RFC 6265bis, 4.1.3.2). */
const nameOf = (isSecure: boolean) => (isSecure ? '__Host-sealpush' : 'sealpush');

/** What the session cookie of a request holds; undefined when it has none. */
export function readSessionCookie({ headers }: Request, isSecure: boolean): string | undefined {
  const prefix = `${nameOf(isSecure)}=`;
  const cookie = headers.cookie
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return cookie?.slice(prefix.length) || undefined;
}

/** The `Set-Cookie` that hands a session to a browser; one without a token takes it back. */
export function sessionCookie(token: string | undefined, isSecure: boolean): string {
  return [
    `${nameOf(isSecure)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === undefined ? 0 : LONGEST_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

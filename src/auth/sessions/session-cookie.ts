import type { NewCookie } from '../../platform/http/cookies.js';

export const SESSION_COOKIE = 'sealpush';

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/** The cookie of a session; without a token, it is deleted. */
export function sessionCookie(token: string | undefined): NewCookie {
  return { name: SESSION_COOKIE, value: token, maxAgeSeconds: MAX_AGE_SECONDS };
}

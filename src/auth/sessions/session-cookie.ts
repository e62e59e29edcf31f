import type { NewCookie } from '../../platform/http/cookies.js';
import { DAY_MS, SECOND_MS } from '../../platform/settings/units.js';

export const SESSION_COOKIE = 'sealpush';

/** Recognises a browser after its session has ended; worth nothing without the password. */
export const BROWSER_COOKIE = 'sealpush-browser';

const BROWSER_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The cookie of a session; without a token, it is deleted.
 * @param days SESSION_DAYS
 */
export function sessionCookie(token: string | undefined, days: number): NewCookie {
  return { name: SESSION_COOKIE, value: token, maxAgeSeconds: (days * DAY_MS) / SECOND_MS };
}

export function browserCookie(value: string): NewCookie {
  return { name: BROWSER_COOKIE, value, maxAgeSeconds: BROWSER_MAX_AGE_SECONDS };
}

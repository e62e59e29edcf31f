import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { CookieScope } from '../../platform/http/public-url.js';
import type { Language } from '../../texts/languages.js';
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGE_CODES } from '../../texts/languages.js';

const COOKIE = 'sealpush-language';
const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What the language of a page depends on. */
export const LANGUAGE_HEADERS = 'Accept-Language, Cookie';

/** The language that the visitor chose on a page, otherwise the one that the browser prefers. */
export function languageOf(request: Request): Language {
  const chosen = parseCookie(request.headers.cookie ?? '')[COOKIE];
  if (isLanguage(chosen)) return chosen;
  const preferred = request.acceptsLanguages(LANGUAGE_CODES);
  return isLanguage(preferred) ? preferred : DEFAULT_LANGUAGE;
}

/** The `Set-Cookie` header that stores the chosen language. */
export function languageCookie(language: Language, { path, isSecure }: CookieScope): string {
  return stringifySetCookie({
    name: COOKIE,
    value: language,
    path,
    maxAge: A_YEAR_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
}

import type { PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { CookieScope } from '../../platform/http/public-url.js';
import type { Language } from '../../texts/languages.js';
import { TextsService } from '../../platform/i18n/texts.service.js';

const COOKIE = 'sealpush-language';
const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What the language of a page depends on, besides its URL. */
export const LANGUAGE_HEADERS = 'Accept-Language, Cookie';

/**
 * Finds the language of a page: that of the signed-in account, that of the parameter `locale`, the one that was chosen in
 * this browser, or the one that the browser prefers. Otherwise it is the default one.
 */
@Injectable()
export class LanguageResolver implements PipeTransform<Request, Language> {
  constructor(private readonly texts: TextsService) {}

  /** As a pipe, for parameters of handlers. */
  transform(request: Request): Language {
    return this.of(request);
  }

  of(request: Request): Language {
    const chosen = parseCookie(request.headers.cookie ?? '')[COOKIE];
    return (
      this.texts.languageOf(request.user?.language ?? '', localeOf(request), chosen) ??
      this.texts.languageOf(...request.acceptsLanguages()) ??
      this.texts.defaultLanguage
    );
  }

  /** The language that the URL asks for, if it is offered. */
  askedFor(request: Request): Language | undefined {
    return this.texts.languageOf(localeOf(request));
  }
}

function localeOf({ query: { locale } }: Request): string | undefined {
  return typeof locale === 'string' ? locale : undefined;
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

import { de } from './de.js';
import type { Texts } from './en.js';
import { en } from './en.js';

interface LanguageOfPages {
  /** The name in the language itself. */
  name: string;
  /** The locale for times and numbers. */
  locale: string;
  texts: Texts;
}

/** The languages of the pages. The first is for visitors who prefer none of them. */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB', texts: en },
  de: { name: 'Deutsch', locale: 'de-DE', texts: de },
} satisfies Record<string, LanguageOfPages>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

export function isLanguage(code: unknown): code is Language {
  return (LANGUAGE_CODES as unknown[]).includes(code);
}

/** For whoever has not chosen one. */
export const DEFAULT_LANGUAGE: Language = 'en';

const TAG = /^([a-z]{2,3})([-_][a-z0-9]{2,8})*$/i;
const MAX_TAG = 35;

/** The language of a tag such as `de` or `de-AT` (RFC 5646); undefined when there are no texts in it. */
export function languageOfTag(tag: string): Language | undefined {
  const code = tag.length > MAX_TAG ? undefined : TAG.exec(tag.trim())?.[1]?.toLowerCase();
  return isLanguage(code) ? code : undefined;
}

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

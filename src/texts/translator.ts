import { IntlMessageFormat } from 'intl-messageformat';
import type { TextKey, Texts } from './en.js';
import type { Language } from './languages.js';
import { durationIn } from './duration.js';
import { LANGUAGE_CODES, LANGUAGES } from './languages.js';
import { limitIn, sizeIn } from './size.js';
import type { TimeFormat } from './times.js';
import { timeIn } from './times.js';

export type TextValues = Record<string, string | number>;

/** Shown for the kind of a damaged row, for which there is no text. */
const UNKNOWN = '?';

/** The texts of the pages in one language. */
export class Translator {
  private readonly locale: string;
  private readonly lists: Intl.ListFormat;
  /** The texts for browser scripts as JSON, safe within an HTML element. */
  readonly scriptTexts: string;
  private readonly messages = new Map<TextKey, IntlMessageFormat>();

  constructor(readonly language: Language) {
    this.locale = LANGUAGES[language].locale;
    this.scriptTexts = scriptTextsOf(LANGUAGES[language].texts);
    this.lists = new Intl.ListFormat(this.locale, { type: 'unit' });
  }

  text(key: TextKey, values?: TextValues): string {
    return this.message(key).format(values) as string;
  }

  /** A text with elements in it, as an array of strings and elements. */
  parts<Element>(
    key: TextKey,
    values: Record<string, string | number | Element | ((content: (string | Element)[]) => Element)>,
  ): (string | Element)[] {
    const parts = this.message(key).format<Element>(values);
    return Array.isArray(parts) ? parts : [parts];
  }

  /** A time in UTC. */
  time(date: Date, format: TimeFormat = 'full'): string {
    const time = timeIn(this.locale, format, { date, now: new Date(), timeZone: 'UTC' });
    return this.text('time.utc', { time });
  }

  list(items: string[]): string {
    return this.lists.format(items);
  }

  /** A waiting time. */
  duration(seconds: number): string {
    return durationIn(this.locale, seconds);
  }

  /** A number of bytes, in the largest unit that fits. */
  size(bytes: number): string {
    return sizeIn(this.locale, bytes);
  }

  /** A limit in bytes, in the unit in which it was set. */
  limit(bytes: number): string {
    return limitIn(this.locale, bytes);
  }

  /** Parsed once. */
  private message(key: TextKey): IntlMessageFormat {
    let message = this.messages.get(key);
    if (!message) {
      const texts: Partial<Texts> = LANGUAGES[this.language].texts;
      message = new IntlMessageFormat(texts[key] ?? UNKNOWN, this.locale);
      this.messages.set(key, message);
    }
    return message;
  }
}

function scriptTextsOf(texts: Texts): string {
  const ofScripts = Object.entries(texts).filter(([key]) => key.startsWith('script.'));
  return JSON.stringify(Object.fromEntries(ofScripts)).replaceAll('<', '\\u003c');
}

const TRANSLATORS = new Map(LANGUAGE_CODES.map((language) => [language, new Translator(language)]));

export function translatorFor(language: Language): Translator {
  return TRANSLATORS.get(language) ?? new Translator(language);
}

import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalogue } from './catalogue.js';
import { catalogueOf } from './catalogue.js';
import { withDigits } from './digits.js';
import { durationIn } from './duration.js';
import type { Language } from './languages.js';
import { directionOf, LANGUAGES } from './languages.js';
import { isolate } from './isolate.js';
import { mapValues, scriptMessageOf } from './message.js';
import { sizeIn } from './size.js';
import type { ParametersOf, TextKey, TextParameters, TextValues } from './text-parameters.js';
import type { Markup } from './text-types.js';
import type { TimeFormat } from './times.js';
import { showsClock, timeIn } from './times.js';

/** What stands for the parameters of a text with elements in it. */
export type Parts<Key extends TextKey, Element> = Key extends TextKey
  ? {
      [Name in keyof ParametersOf<Key>]: ParametersOf<Key>[Name] extends Markup
        ? (content: (string | Element)[]) => Element
        : ParametersOf<Key>[Name] | Element;
    }
  : never;

/** The keys of texts for which these parameters are enough. */
export type TextKeyFor<Parameters> = {
  [Key in keyof TextParameters]: Parameters extends TextParameters[Key] ? Key : never;
}[keyof TextParameters];

type Values = Record<string, string | number>;

/** Shown for the kind of a damaged row, for which there is no text. */
const UNKNOWN = '?';

/** The texts of the pages in one language. */
export class Translator {
  private readonly locale: string;
  private readonly lists: Intl.ListFormat;
  private readonly messages = new Map<TextKey, IntlMessageFormat>();
  private readonly withoutValues = new Map<TextKey, string>();
  private readonly ofScripts = new Map<TextKey, string>();

  constructor(
    readonly language: Language,
    private readonly texts: Catalogue = catalogueOf(language),
  ) {
    this.locale = withDigits(LANGUAGES[language].locale ?? language);
    this.lists = new Intl.ListFormat(this.locale, { style: 'narrow' });
  }

  text<Key extends TextKey>(key: Key, ...[values]: TextValues<Key>): string {
    return values
      ? (this.message(key).format(this.isolated({ ...values } as Values)) as string)
      : this.fixed(key);
  }

  /** A text that is always the same, formatted once. */
  private fixed(key: TextKey): string {
    const known = this.withoutValues.get(key) ?? (this.message(key).format() as string);
    this.withoutValues.set(key, known);
    return known;
  }

  /** A text with elements in it, as an array of strings and elements. */
  parts<Element, Key extends TextKey>(key: Key, values: Parts<Key, Element>): (string | Element)[] {
    const parts = this.message(key).format<Element>(this.isolated(values as Record<string, Element>));
    return Array.isArray(parts) ? parts : [parts];
  }

  /** A time in UTC. */
  time(date: Date, format: TimeFormat = 'full'): string {
    const when = { date, now: new Date(), timeZone: 'UTC' };
    const time = timeIn(this.locale, format, when);
    return showsClock(format, when) ? this.text('time.utc', { time }) : time;
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
    const size = sizeIn(this.locale, bytes);
    return directionOf(this.language) === 'ltr' ? size : isolate(size);
  }

  /** Texts for a browser script as JSON, safe within an HTML element. */
  scriptTexts(keys: readonly TextKey[]): string {
    return `{${keys.map((key) => this.scriptText(key)).join(',')}}`;
  }

  /** A member of that JSON, made once. */
  private scriptText(key: TextKey): string {
    const known = this.ofScripts.get(key) ?? scriptTextOf(key, this.texts);
    this.ofScripts.set(key, known);
    return known;
  }

  /** With text in a sentence from right to left isolated, which may be read from left to right, such as an address. */
  private isolated<Value>(values: Record<string, Value>): Record<string, Value | string> {
    if (directionOf(this.language) === 'ltr') return values;
    return mapValues(values, (value) => (typeof value === 'string' ? isolate(value) : value));
  }

  /** Parsed once. */
  private message(key: TextKey): IntlMessageFormat {
    let message = this.messages.get(key);
    if (!message) {
      const texts: Readonly<Partial<Record<string, string>>> = this.texts;
      message = new IntlMessageFormat(texts[key] ?? UNKNOWN, this.locale);
      this.messages.set(key, message);
    }
    return message;
  }
}

function scriptTextOf(key: TextKey, texts: Readonly<Partial<Record<string, string>>>): string {
  const message = JSON.stringify(scriptMessageOf(texts[key] ?? UNKNOWN));
  return `${JSON.stringify(key)}:${message.replaceAll('<', '\\u003c')}`;
}

/** For whatever is in English, such as the sentences of the API. */
export const ENGLISH = new Translator('en');

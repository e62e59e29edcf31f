import { withDigits } from '../../texts/digits.js';
import { isolate } from '../../texts/isolate.js';
import type { ScriptMessage } from '../../texts/message.js';
import type { TextKey, TextValues } from '../../texts/text-parameters.js';

type ScriptKey = Extract<TextKey, `script.${string}`>;

let texts: Record<ScriptKey, ScriptMessage>;
let plurals: Intl.PluralRules;
readTexts();

/** Reads the texts of the page; again after its language has changed. */
export function readTexts(): void {
  texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as typeof texts;
  plurals = new Intl.PluralRules(document.documentElement.lang);
}

/** A text of the server's catalogue in the language of the page. */
export function text<Key extends ScriptKey>(key: Key, ...[values]: TextValues<Key>): string {
  return formatted(texts[key], values ?? {});
}

function formatted(message: ScriptMessage, values: Record<string, string | number>): string {
  const parts = message.map((part) => {
    if (typeof part === 'string') return part.replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name]));
    const [name, forms] = part;
    const value = Number(values[name]);
    return formatted(forms[`=${value}`] ?? forms[plurals.select(value)] ?? forms.other ?? [], values);
  });
  return parts.join('');
}

function shown(value: string | number = ''): string {
  if (typeof value === 'number') return value.toLocaleString(locale());
  return document.documentElement.dir === 'rtl' ? isolate(value) : value;
}

/** The language of the page, as the visitor's region writes it if that is known, with the digits of the texts. */
export function locale(): string {
  const { lang } = document.documentElement;
  const ofRegion = navigator.languages.find((language) => language.split('-')[0] === lang.split('-')[0]);
  return withDigits(ofRegion ?? lang);
}

/** Shows a text unless it is there: screen readers announce what changes, and a click on what is replaced is lost. */
export function showText(place: Element, shown: string): void {
  if (place.textContent !== shown) place.textContent = shown;
}

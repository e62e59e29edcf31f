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

/** Adds the texts of a script that is loaded when it is needed: a page has only those of its own. */
export async function loadTexts(name: string): Promise<void> {
  const file = `${name}.${document.documentElement.lang}.json`;
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(file);
  const more = (await response.json()) as Partial<typeof texts>;
  readTexts();
  Object.assign(texts, more);
}

/** A text of the server's catalogue in the language of the page. */
export function text<Key extends ScriptKey>(key: Key, ...[values]: TextValues<Key>): string {
  const isRtl = document.documentElement.dir === 'rtl';
  return partsOf(texts[key], values ?? {})
    .map((part) => (typeof part === 'string' ? part : isRtl ? isolate(part.value) : part.value))
    .join('');
}

/** What an element shows: a text, or one with data in elements of their own. */
export type Shown = string | (string | HTMLElement)[];

export function show(place: Element, shown: Shown): void {
  place.replaceChildren(...[shown].flat());
}

/** A text about data, such as the name of a file, which browsers do not translate. */
export function textWithData<Key extends ScriptKey>(key: Key, ...[values]: TextValues<Key>): Shown {
  return partsOf(texts[key], values ?? {}).map((part) =>
    typeof part === 'string' ? part : dataElement(part.value),
  );
}

export function dataElement(value: string): HTMLElement {
  const element = document.createElement('bdi');
  element.translate = false;
  element.textContent = value;
  return element;
}

/** Texts, and between them the values that are texts themselves. */
function partsOf(
  message: ScriptMessage,
  values: Record<string, string | number>,
): (string | { value: string })[] {
  return message.flatMap((part) => {
    if (typeof part === 'string')
      return part.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : shown(values[piece])));
    const [name, forms] = part;
    const value = Number(values[name]);
    return partsOf(forms[`=${value}`] ?? forms[plurals.select(value)] ?? forms.other ?? [], values);
  });
}

function shown(value: string | number = ''): string | { value: string } {
  return typeof value === 'number' ? value.toLocaleString(locale()) : { value };
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

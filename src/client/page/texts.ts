import type { TextKey } from '../../texts/en.js';

type ScriptKey = Extract<TextKey, `script.${string}`>;

let texts: Record<ScriptKey, string>;
readTexts();

/** Reads the texts of the page; again after its language has changed. */
export function readTexts(): void {
  texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<ScriptKey, string>;
}

/** A text of the server's catalogue in the language of the page, with values for its `{names}`. */
export function text(key: ScriptKey, values: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** The language of the page, as the visitor's region writes it if that is known. */
export function locale(): string {
  const { lang } = document.documentElement;
  return navigator.languages.find((language) => language.split('-')[0] === lang) ?? lang;
}

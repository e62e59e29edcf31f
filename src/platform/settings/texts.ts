import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Catalogue } from '../../texts/catalogue.js';
import { catalogueOf } from '../../texts/catalogue.js';
import type { Language } from '../../texts/languages.js';
import { isLanguage, LANGUAGE_CODES } from '../../texts/languages.js';
import { faultOf } from '../../texts/message.js';
import type { Parser } from './setting.js';
import { shown } from './setting.js';

const MAX_BYTES = 1_000_000;

/** Sentences of the operator's own, by language. */
export type OwnTexts = Partial<Record<Language, Partial<Catalogue>>>;

/** A language of the pages. */
export const language: Parser = shown((code) => {
  if (!isLanguage(code)) throw new Error(`must be one of ${LANGUAGE_CODES.join(', ')}`);
  return code;
});

/** Languages of the pages, separated by commas or spaces, each once. */
export const languages: Parser = shown(
  (text) => {
    const codes = text.split(/[\s,]+/).filter(Boolean);
    if (codes.length === 0 || !codes.every(isLanguage))
      throw new Error(`must be languages among ${LANGUAGE_CODES.join(', ')}, separated by commas`);
    return [...new Set(codes)];
  },
  (codes: Language[]) => codes.join(', '),
);

/** The path of a JSON file with sentences by language and key; relative paths start at the working directory. */
export const ownTexts: Parser = shown(
  (path) => {
    const file = resolve(path);
    const all = objectIn(parsed(contentOf(file), file), file);
    return Object.fromEntries(
      Object.entries(all).map(([code, texts]) => [
        language(code),
        checked(code as Language, objectIn(texts, code)),
      ]),
    );
  },
  (texts: OwnTexts) =>
    Object.entries(texts)
      .map(([code, own]) => `${code}: ${Object.keys(own).length}`)
      .join(', '),
);

function contentOf(file: string): string {
  try {
    if (statSync(file).size <= MAX_BYTES) return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`its file ${file} cannot be read (${code})`, { cause: error });
  }
  throw new Error('must be a file of at most 1 MB');
}

function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`its file ${file} is not JSON (${(error as Error).message})`, { cause: error });
  }
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} must be a JSON object, such as {"en": {"home.title": "Share a password"}}`);
  return value as Record<string, unknown>;
}

/** @throws Error whose message names the key */
function checked(code: Language, texts: Record<string, unknown>): Partial<Catalogue> {
  for (const [key, text] of Object.entries(texts)) {
    const fault = faultOf(key, text, catalogueOf(code));
    if (fault !== undefined) throw new Error(`${code}, ${key}: ${fault}`);
  }
  return texts;
}

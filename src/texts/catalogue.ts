import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from './languages.js';
import type { TextParameters } from './text-parameters.js';

/** Texts in ICU MessageFormat. */
export type Catalogue = Readonly<Record<keyof TextParameters, string>>;

const catalogues = new Map<Language, Catalogue>();

/** Of modules, by language. */
const added = new Map<Language, Record<string, string>>();

/** The texts in a language, read when they are first needed. Those that it lacks are in English. */
export function catalogueOf(language: Language): Catalogue {
  const known = catalogues.get(language);
  if (known) return known;
  const texts = { ...readCatalogue(join(__dirname, 'locales', `${language}.json`)), ...added.get(language) };
  const catalogue = (language === 'en' ? texts : { ...catalogueOf('en'), ...texts }) as Catalogue;
  catalogues.set(language, catalogue);
  return catalogue;
}

/** Adds the texts of a module to those in a language. */
export function addTexts(language: Language, texts: Record<string, string>): void {
  added.set(language, { ...added.get(language), ...texts });
  catalogues.clear();
}

/**
 * The texts in a file, without comments and what it says of itself, whose keys begin with `@`, and without empty ones,
 * which some tools write for what is not translated.
 */
export function readCatalogue(file: string): Partial<Catalogue> {
  const all = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  return Object.fromEntries(all.filter(([key, text]) => !key.startsWith('@') && text !== ''));
}

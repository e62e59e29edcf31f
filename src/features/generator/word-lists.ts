import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordLanguage } from '../../shared/generator.js';

const FOLDER = join(__dirname, '../../../dist/client');
const lists = new Map<WordLanguage, string[]>();

/** The words of a language, none of which begins with another one; read at the first use. */
export function wordsOf(language: WordLanguage): string[] {
  const known = lists.get(language);
  if (known) return known;

  const lines = readFileSync(join(FOLDER, `words-${language}.txt`), 'utf8').split('\n');
  const words = lines.filter((line) => line !== '' && !line.startsWith('#'));
  lists.set(language, words);
  return words;
}

import { randomOf } from './random.js';

/** Without characters that are easily confused with each other. */
const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789'];
const SYMBOLS = '-_.+!?';

/** A password with at least one character of each class: the others are discarded. */
export function randomPassword(length: number, hasSymbols: boolean): string {
  const classes = hasSymbols ? [...CLASSES, SYMBOLS] : CLASSES;
  const all = classes.join('');
  for (;;) {
    const password = randomOf(all, length).join('');
    if (classes.every((some) => [...some].some((character) => password.includes(character)))) return password;
  }
}

/** Each word of the list adds 12.9 random bits. */
export async function randomWords(count: number): Promise<string> {
  return randomOf(await words(), count).join('-');
}

let list: Promise<string[]> | undefined;

/** Loaded when words are wanted for the first time. */
function words(): Promise<string[]> {
  list ??= load();
  list.catch(() => (list = undefined));
  return list;
}

async function load(): Promise<string[]> {
  const response = await fetch(new URL('words.txt', import.meta.url));
  if (!response.ok) throw new Error('no word list');
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

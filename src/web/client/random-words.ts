import { randomOf } from './random.js';

let list: Promise<string[]> | undefined;

/** Each word of the list adds 12.9 random bits. */
export async function randomWords(count: number): Promise<string> {
  return randomOf(await words(), count).join('-');
}

/** The list of words, which is loaded at the first use. */
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

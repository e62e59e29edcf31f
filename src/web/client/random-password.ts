import { randomOf } from './random.js';

/** Character classes without characters that are easily confused with each other. */
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

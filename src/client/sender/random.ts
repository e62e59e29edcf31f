const WORDS = 2 ** 32;

/** Uniformly distributed: random numbers that would favour some results are discarded. */
export function randomBelow(bound: number): number {
  const limit = WORDS - (WORDS % bound);
  for (;;) {
    const [word = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (word < limit) return word % bound;
  }
}

export function randomOf<T>(items: ArrayLike<T>, count: number): T[] {
  return Array.from({ length: count }, () => items[randomBelow(items.length)] as T);
}

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

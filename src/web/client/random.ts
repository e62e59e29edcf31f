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

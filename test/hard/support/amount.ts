const { isShort } = globalThis as unknown as { isShort: boolean };

/** The amount of load in this run: `npm run test:hard` runs in full, with `HARD=short` a sample. */
export const amount = <T>({ full, short }: { full: T; short: T }): T => (isShort ? short : full);

/** All of them; in the short form every `count`-th one, including the first. */
export const oneOf = <T>(count: number, all: T[]): T[] =>
  all.filter((_one, index) => !isShort || index % count === 0);

const { isShort } = globalThis as unknown as { isShort: boolean };

/** How much of a hardship this run wants: `npm run test:hard` in full, with `HARD=short` a sample. */
export const amount = <T>({ full, short }: { full: T; short: T }): T => (isShort ? short : full);

/** All of them, or in the short form one of so many, the first at least. */
export const oneOf = <T>(count: number, all: T[]): T[] =>
  all.filter((_one, index) => !isShort || index % count === 0);

const { isShort } = globalThis as unknown as { isShort: boolean };

/** How much of a hardship this run wants: `npm run test:hard` in full, with `HARD=short` a sample. */
export const amount = <T>({ full, short }: { full: T; short: T }): T => (isShort ? short : full);

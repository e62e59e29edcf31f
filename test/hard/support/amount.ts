const { isShort } = globalThis as unknown as { isShort: boolean };

/** How much of a hardship this run wants: `npm run test:hard` in full, with `HARD=short` a sample. */
export const amount = ({ full, short }: { full: number; short: number }) => (isShort ? short : full);

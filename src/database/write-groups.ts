import { isLostRace, isUnavailable } from './database-error.js';
import { Groups } from './groups.js';
import type { Write } from './write.js';

const LARGEST_BYTES = 1_048_576; // a statement must fit into one packet of the server

/** Writes that come at the same time are made by one transaction. */
export class WriteGroups extends Groups<Write, boolean> {
  /** @param make makes writes and keeps them for good, or fails and keeps none; tells of each whether it was made */
  constructor(make: (writes: Write[]) => Promise<boolean[]>) {
    super(async (writes) => {
      try {
        return await make(writes);
      } catch (error) {
        if (writes.length === 1 || (isUnavailable(error) && !isLostRace(error))) throw error;
        // one cannot be made, or has to wait for a lock, and the others do not answer for it
        return writes.map(async (write) => (await make([write])).every(Boolean));
      }
    }, countOfFitting);
  }
}

function countOfFitting(writes: Write[]): number {
  let bytes = 0;
  const tooMuch = writes.findIndex((write) => (bytes += bytesOf(write)) > LARGEST_BYTES);
  return tooMuch < 0 ? writes.length : Math.max(tooMuch, 1);
}

function bytesOf({ rows }: Write): number {
  return rows
    .flatMap(({ values }) => values)
    .reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0);
}

import { Batcher } from '../statements/batcher.js';
import { isRetryableConflict, isUnavailable } from '../errors/database-error.js';
import type { Transaction } from '../transactions/unit-of-work.js';

/** Usually a batch fits into one packet of the server; one that does not is split. */
const MAX_BATCH_BYTES = 1_048_576;

/** Writes that arrive together share one transaction. */
export class WriteBatcher extends Batcher<Transaction, boolean> {
  /**
   * @param commit commits all writes, or rejects and commits none; returns for each whether its conditional update
   * matched
   */
  constructor(commit: (writes: Transaction[]) => Promise<boolean[]>) {
    super(async (writes) => {
      try {
        return await commit(writes);
      } catch (error) {
        if (writes.length === 1 || (isUnavailable(error) && !isRetryableConflict(error))) throw error;
        // one write fails, is too large or waits for a lock, which must not fail the others
        return writes.map(async (write) => (await commit([write])).every(Boolean));
      }
    }, limitBatchBytes);
  }
}

function limitBatchBytes(writes: Transaction[]): number {
  let bytes = 0;
  const tooMany = writes.findIndex((write) => (bytes += bytesOf(write)) > MAX_BATCH_BYTES);
  return tooMany < 0 ? writes.length : Math.max(tooMany, 1);
}

function bytesOf({ rows }: Transaction): number {
  let bytes = 0;
  for (const { values } of rows)
    for (const value of values) if (Buffer.isBuffer(value)) bytes += value.length;
  return bytes;
}

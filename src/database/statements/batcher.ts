import { setImmediate } from 'node:timers/promises';

const MAX_BATCH_SIZE = 64;
const MAX_CONCURRENT_BATCHES = 2;
const MAX_WAIT_MS = 100;

interface Pending<Key, Value> {
  key: Key;
  resolve: (value: Value | Promise<Value>) => void;
  reject: (error: unknown) => void;
}

/**
 * Loads many keys with one round trip to the database. Keys that arrive in the same turn of the event loop, or while
 * earlier batches are running, are loaded together. A key never waits longer than 100 ms for batches that are stuck
 * behind a lock or an unresponsive server. docs/decisions/0020 contains the figures.
 */
export class Batcher<Key, Value> {
  private readonly pending: Pending<Key, Value>[] = [];
  private running = 0;

  /**
   * @param loadBatch returns a value for each key, in the order of the keys; when it rejects, all keys of the batch fail
   * @param limit how many of the pending keys the next batch may contain, at least one
   */
  constructor(
    private readonly loadBatch: (keys: Key[]) => Promise<(Value | Promise<Value>)[]>,
    private readonly limit: (keys: Key[]) => number = (keys) => keys.length,
  ) {}

  submit(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.pending.push({ key, resolve, reject });
      if (this.running < MAX_CONCURRENT_BATCHES) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running++;
    for (;;) {
      await setImmediate(); // requests that were read in the same turn join the batch
      if (this.pending.length === 0) break;
      await atMost(MAX_WAIT_MS, this.runBatch(this.pending.splice(0, this.nextBatchSize())));
    }
    this.running--;
  }

  private nextBatchSize(): number {
    return this.limit(this.pending.slice(0, MAX_BATCH_SIZE).map(({ key }) => key));
  }

  private async runBatch(batch: Pending<Key, Value>[]): Promise<void> {
    try {
      const values = await this.loadBatch(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => {
        resolve(values[index] as Value);
      });
    } catch (error) {
      batch.forEach(({ reject }) => {
        reject(error);
      });
    }
  }
}

/** Waits for work that never rejects, but no longer than `ms`. */
function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timeout);
      resolve();
    });
  });
}

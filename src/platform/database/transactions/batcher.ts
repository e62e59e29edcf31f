import { setImmediate } from 'node:timers/promises';

const MAX_BATCH_SIZE = 64;
const MAX_CONCURRENT_BATCHES = 2;
const MAX_WAIT_MS = 100;

interface Pending<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs many items, such as lookups or writes, with one round trip to the database. Items that arrive in the same turn
 * of the event loop, or while earlier batches are running, run together. An item never waits longer than 100 ms for
 * batches that are stuck behind a lock or an unresponsive server. docs/decisions/0020 contains the figures.
 */
export class Batcher<Item, Result> {
  private readonly pending: Pending<Item, Result>[] = [];
  private running = 0;

  /**
   * @param runItems returns a result for each item, in the order of the items; when it rejects, all items of the batch fail
   * @param limit how many of the pending items the next batch may contain, at least one
   */
  constructor(
    private readonly runItems: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
    private readonly limit: (items: Item[]) => number = (items) => items.length,
  ) {}

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
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
    return this.limit(this.pending.slice(0, MAX_BATCH_SIZE).map(({ item }) => item));
  }

  private async runBatch(batch: Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await this.runItems(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
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

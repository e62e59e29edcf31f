import { setImmediate } from 'node:timers/promises';
import { Batcher } from './batcher.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns each item times ten, a turn of the event loop later, and records the batches. */
function tenfold() {
  const batches: number[][] = [];
  const runItems = async (items: number[]) => {
    batches.push(items);
    await setImmediate();
    return items.map((item) => item * 10);
  };
  return { batches, runItems };
}

describe('A batcher', () => {
  it('runs each item, in batches of items that arrived in the meantime', async () => {
    const { batches, runItems } = tenfold();
    const batcher = new Batcher(runItems);
    const values = await Promise.all(range(100).map((item) => batcher.submit(item)));

    expect(values).toEqual(range(100).map((item) => item * 10));
    expect(batches.map(({ length }) => length)).toEqual([64, 36]);
    expect(batches.flat()).toEqual(range(100));
  });

  it('runs a single item by itself', async () => {
    const { batches, runItems } = tenfold();

    expect(await new Batcher(runItems).submit(7)).toBe(70);
    expect(batches).toEqual([[7]]);
  });

  it('never exceeds the batch limit', async () => {
    const { batches, runItems } = tenfold();
    const batcher = new Batcher(runItems, (items) => Math.min(items.length, 5));
    await Promise.all(range(11).map((item) => batcher.submit(item)));

    expect(batches.map(({ length }) => length)).toEqual([5, 5, 1]);
  });

  it('does not wait long for stuck batches', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const batcher = new Batcher((items: number[]) =>
        items[0] === 2 ? Promise.resolve(['done']) : new Promise<string[]>(() => undefined),
      );
      for (const stuck of range(2)) {
        void batcher.submit(stuck);
        await setImmediate();
      }
      const third = batcher.submit(2);
      await jest.advanceTimersByTimeAsync(100);

      expect(await third).toBe('done');
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects all items of a failed batch, and continues', async () => {
    let isBroken = true;
    const batcher = new Batcher((items: number[]) =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(items),
    );
    const ends = await Promise.allSettled(range(10).map((item) => batcher.submit(item)));
    expect(ends).toEqual(range(10).map(() => ({ status: 'rejected', reason: new Error('broken') })));

    isBroken = false;
    expect(await batcher.submit(3)).toBe(3);
  });
});

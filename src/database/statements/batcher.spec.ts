import { setImmediate } from 'node:timers/promises';
import { Batcher } from './batcher.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Returns each key times ten, a turn of the event loop later, and records the batches. */
function tenfold() {
  const batches: number[][] = [];
  const loadBatch = async (keys: number[]) => {
    batches.push(keys);
    await setImmediate();
    return keys.map((key) => key * 10);
  };
  return { batches, loadBatch };
}

describe('A batcher', () => {
  it('loads each key, in batches of keys that arrived in the meantime', async () => {
    const { batches, loadBatch } = tenfold();
    const batcher = new Batcher(loadBatch);
    const values = await Promise.all(range(100).map((key) => batcher.submit(key)));

    expect(values).toEqual(range(100).map((key) => key * 10));
    expect(batches.map(({ length }) => length)).toEqual([64, 36]);
    expect(batches.flat()).toEqual(range(100));
  });

  it('loads a single key by itself', async () => {
    const { batches, loadBatch } = tenfold();

    expect(await new Batcher(loadBatch).submit(7)).toBe(70);
    expect(batches).toEqual([[7]]);
  });

  it('never exceeds the batch limit', async () => {
    const { batches, loadBatch } = tenfold();
    const batcher = new Batcher(loadBatch, (keys) => Math.min(keys.length, 5));
    await Promise.all(range(11).map((key) => batcher.submit(key)));

    expect(batches.map(({ length }) => length)).toEqual([5, 5, 1]);
  });

  it('does not wait long for stuck batches', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const batcher = new Batcher((keys: number[]) =>
        keys[0] === 2 ? Promise.resolve(['loaded']) : new Promise<string[]>(() => undefined),
      );
      for (const stuck of range(2)) {
        void batcher.submit(stuck);
        await setImmediate();
      }
      const third = batcher.submit(2);
      await jest.advanceTimersByTimeAsync(100);

      expect(await third).toBe('loaded');
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects all keys of a failed batch, and continues', async () => {
    let isBroken = true;
    const batcher = new Batcher((keys: number[]) =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(keys),
    );
    const ends = await Promise.allSettled(range(10).map((key) => batcher.submit(key)));
    expect(ends).toEqual(range(10).map(() => ({ status: 'rejected', reason: new Error('broken') })));

    isBroken = false;
    expect(await batcher.submit(3)).toBe(3);
  });
});

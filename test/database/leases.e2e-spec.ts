import { Leases } from '../../src/platform/database/leases.js';
import { forEachTest } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import { makeInstance } from '../support/instance.js';

describe('A lease', () => {
  const instance = forEachTest(makeInstance);
  const [first, second] = [
    forEachTest(() => openDatabase(instance)),
    forEachTest(() => openDatabase(instance)),
  ];
  let mine: Leases;
  let theirs: Leases;

  beforeEach(() => {
    mine = new Leases(first.dataSource, first.unitOfWork);
    theirs = new Leases(second.dataSource, second.unitOfWork);
  });

  /** Tries to acquire the lease; returns whether it was acquired and whether the work was done. */
  const tryMeanwhile = async (name: string) => {
    let wasDone = false;
    const wasHeld = await theirs.runIfFree(name, () => Promise.resolve(void (wasDone = true)));
    return { wasHeld, wasDone };
  };

  it('has one holder at a time, and can be acquired again after its end', async () => {
    let meanwhile;
    const wasHeld = await mine.runIfFree('sweep', async () => {
      meanwhile = await tryMeanwhile('sweep');
    });

    expect(wasHeld).toBe(true);
    expect(meanwhile).toEqual({ wasHeld: false, wasDone: false });
    expect(await tryMeanwhile('sweep')).toEqual({ wasHeld: true, wasDone: true });
  });

  it('does not block other names', async () => {
    let meanwhile;
    await mine.runIfFree('sweep', async () => {
      meanwhile = await tryMeanwhile('other');
    });

    expect(meanwhile).toEqual({ wasHeld: true, wasDone: true });
  });

  it('is released if the work throws', async () => {
    const held = mine.runIfFree('sweep', () => Promise.reject(new Error('broken')));

    await expect(held).rejects.toThrow('broken');
    expect(await tryMeanwhile('sweep')).toEqual({ wasHeld: true, wasDone: true });
  });

  it('can be taken over after it has expired, and the former holder cannot release it then', async () => {
    let whileTheirs;
    await mine.runIfFree('sweep', async () => {
      await first.dataSource.query('UPDATE leases SET ends_at = ends_at - 40000');
      const wasTakenOver = await theirs.runIfFree('sweep', async () => {
        whileTheirs = await mine.runIfFree('sweep', () => Promise.resolve());
      });
      expect(wasTakenOver).toBe(true);
    });

    expect(whileTheirs).toBe(false);
    expect(await tryMeanwhile('sweep')).toEqual({ wasHeld: true, wasDone: true });
  });

  it('is acquired by only one of many processes that first try at the same time', async () => {
    let holding = 0;
    let max = 0;
    const work = async () => {
      max = Math.max(max, ++holding);
      await first.written();
      holding -= 1;
    };
    await Promise.all([mine.runIfFree('new', work), theirs.runIfFree('new', work)]);

    expect(max).toBeLessThanOrEqual(1);
    expect(await tryMeanwhile('new')).toEqual({ wasHeld: true, wasDone: true });
  });
});

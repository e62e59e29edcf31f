import { setImmediate } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { MIB } from '../settings/units.js';
import { MemoryBudget } from '../settings/memory-budget.js';
import { UnusedMemory } from './unused-memory.js';

const buffersOf = (count: number) => Array.from({ length: count }, () => Buffer.allocUnsafeSlow(MIB));
const total = () => process.memoryUsage().arrayBuffers;

describe('Memory that is no longer used', () => {
  it('is freed if there are more buffers than usual, and those in use are kept', async () => {
    const kept = buffersOf(10);
    const before = total();
    buffersOf(100);
    await setImmediate(); // the stack refers to them no longer
    new UnusedMemory(new MemoryBudget(1)).free();

    await eventually(() => total() < before + 10 * MIB);
    expect(kept).toHaveLength(10);
  });

  it('is freed if it has grown, although there are few buffers', async () => {
    const unused = new UnusedMemory(new MemoryBudget(1));
    const { heapUsed } = process.memoryUsage();
    let objects: number[][] | undefined = Array.from({ length: 30 }, (_, i) => Array<number>(MIB).fill(i));
    expect(objects).toHaveLength(30);
    objects = undefined;
    await setImmediate();

    unused.free();
    await setImmediate(); // not later: an idle process may collect them by itself
    expect(process.memoryUsage().heapUsed).toBeLessThan(heapUsed + 20 * MIB);
  });
});

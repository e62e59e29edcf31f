import { setImmediate } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { MIB } from '../settings/units.js';
import { MemoryBudget } from '../settings/memory-budget.js';
import { UnusedBuffers } from './unused-buffers.js';

const buffersOf = (count: number) => Array.from({ length: count }, () => Buffer.allocUnsafeSlow(MIB));
const total = () => process.memoryUsage().arrayBuffers;

describe('Buffers that are no longer used', () => {
  it('are freed if there are more than usual, and those in use are kept', async () => {
    const kept = buffersOf(10);
    const before = total();
    buffersOf(100);
    await setImmediate(); // the stack refers to them no longer
    new UnusedBuffers(new MemoryBudget(1)).free();

    await eventually(() => total() < before + 10 * MIB);
    expect(kept).toHaveLength(10);
  });
});

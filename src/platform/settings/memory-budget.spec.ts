import { MemoryBudget } from './memory-budget.js';
import { GIB } from './units.js';

const OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=1024', '--v8-pool-size=1'];

describe('The memory budget', () => {
  it('leaves the start and all budgets as they are with a gibibyte', () => {
    const budget = new MemoryBudget(1, GIB);

    expect(budget.startOf(OPTIONS)).toBeUndefined();
    expect(budget.retrievals).toBe(Infinity);
    expect(budget.shortage).toBeUndefined();
  });

  it('is smaller, with a smaller heap, in 512 MB', () => {
    const budget = new MemoryBudget(1, 512_000_000);

    expect(budget.startOf(OPTIONS)?.options).toEqual([
      '--max-old-space-size=192',
      '--max-semi-space-size=4',
      '--v8-pool-size=1',
    ]);
    expect(budget.bodies).toBeLessThan(new MemoryBudget(1, GIB).bodies);
    expect(budget.shortage).toBeUndefined();
  });

  it('keeps a limit of the heap that the operator has chosen, and does not start again what is started so', () => {
    const budget = new MemoryBudget(1, 512_000_000);
    const { options = [] } = budget.startOf(OPTIONS) ?? {};

    expect(budget.startOf(options)).toBeUndefined();
    expect(budget.startOf([])).toBeUndefined();
    expect(budget.startOf(['--max-old-space-size=300', '--max-semi-space-size=16'])).toBeUndefined();
  });

  it('is shared by the workers, less what their supervisor takes', () => {
    expect(new MemoryBudget(2, 2 * GIB).startOf(OPTIONS)).toBeDefined();
    expect(new MemoryBudget(2, 2 * GIB + 140_000_000).startOf(OPTIONS)).toBeUndefined();
  });

  it('says that there is too little memory', () => {
    expect(new MemoryBudget(1, 256_000_000).shortage).toBe(
      'The process has 256 MB of memory and needs 512: it may be killed under load.',
    );
    expect(new MemoryBudget(4, 512_000_000).shortage).toBe(
      'Each of 4 processes has 93 MB of memory and needs 512: it may be killed under load.',
    );
  });
});

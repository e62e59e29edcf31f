import { MemoryBudget } from '../platform/settings/memory-budget.js';

/**
 * Starts the same process anew, with what V8 and glibc read when they start: a smaller heap where there is less memory
 * than the options of `npm start` need, and how glibc allocates. Without `execve`, before Node.js 22.15, both stay.
 */
const start = new MemoryBudget(1).startOf(process.execArgv);
if (start)
  process.execve?.(
    process.execPath,
    [process.execPath, ...start.options, ...process.argv.slice(1)],
    start.environment,
  );

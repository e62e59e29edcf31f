import { MemoryBudget } from '../platform/settings/memory-budget.js';

/**
 * Starts the same process anew with a smaller heap where there is less memory than the options of `npm start` need: V8
 * reads them when it starts. Without `execve`, before Node.js 22.15, they stay.
 */
const start = new MemoryBudget(1).startOf(process.execArgv);
if (start)
  process.execve?.(
    process.execPath,
    [process.execPath, ...start.options, ...process.argv.slice(1)],
    start.environment,
  );

const waiting: (() => void)[] = [];

/**
 * Queues a step of heavy work: one step runs per iteration of the event loop, first in, first out. So the process can
 * serve other requests between any two steps, however many are queued.
 */
export function runInTurn(step: () => void): void {
  waiting.push(step);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  try {
    waiting[0]?.();
  } finally {
    waiting.shift(); // only now, so that a step that queues another does not start a second loop
    if (waiting.length > 0) setImmediate(runNext);
  }
}

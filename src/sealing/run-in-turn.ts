const waiting: (() => void)[] = [];

/**
 * Does a step of heavy work when its turn comes: one step in each round of the event loop, in the order of asking. So
 * the process answers others between any two steps, however many are asked for at once.
 */
export function runInTurn(step: () => void): void {
  waiting.push(step);
  if (waiting.length === 1) setImmediate(takeTurns);
}

function takeTurns(): void {
  try {
    waiting[0]?.();
  } finally {
    waiting.shift(); // only now, so that a step that asks for another does not begin a second row
    if (waiting.length > 0) setImmediate(takeTurns);
  }
}

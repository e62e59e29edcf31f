import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 50_000;

/** Waits until the condition is true; throws after 50 seconds. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not true: ${condition.toString()}`);
    await setTimeout(20);
  }
}

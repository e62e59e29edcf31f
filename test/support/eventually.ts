import { setTimeout } from 'node:timers/promises';

/** Waits until the condition is true; throws after 20 seconds. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not true: ${condition.toString()}`);
    await setTimeout(20);
  }
}

import { setTimeout } from 'node:timers/promises';

/** Waits until something has come to pass; gives up after a while. */
export async function eventually(happened: () => Promise<boolean> | boolean): Promise<void> {
  const givenUp = Date.now() + 20_000;
  while (!(await happened())) {
    if (Date.now() > givenUp) throw new Error(`never came to pass: ${happened.toString()}`);
    await setTimeout(20);
  }
}

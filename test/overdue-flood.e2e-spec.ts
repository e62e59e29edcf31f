import { IsNull } from 'typeorm';
import { ExpiryService } from '../src/pushes/expiry.service.js';
import { Push } from '../src/pushes/push.entity.js';
import type { Client } from './support/client.js';
import { insertOverdue } from './support/overdue.js';
import type { RunningApp } from './support/start-app.js';
import { startApp } from './support/start-app.js';

const DIGITS = 5;
const OVERDUE = 10 ** DIGITS;
const READERS = 4;
const LONGEST_P99_MS = 500; // beside other specs on few cores; npm run bench:growth is stricter

describe('While 100,000 overdue pushes are swept away', () => {
  let running: RunningApp;

  beforeAll(async () => {
    running = await startApp({ EXPIRE_AFTER_VIEWS_MAX: '1000000' });
    await insertOverdue(running, DIGITS);
  }, 120_000);
  afterAll(() => running.stop());

  it('others are retrieved without delay, and none is left at the end', async () => {
    let isSwept = false;
    const readers = Array.from({ length: READERS }, () => readUntil(running.anonymous, () => isSwept));
    const swept = await running.app.get(ExpiryService).expireOverdue();
    isSwept = true;
    const times = (await Promise.all(readers)).flat().sort((a, b) => a - b);

    expect(swept).toBe(OVERDUE);
    expect(await running.dataSource.manager.countBy(Push, { expiredOn: IsNull() })).toBe(READERS);
    expect(await running.dataSource.manager.countBy(Push, { payload: IsNull() })).toBe(OVERDUE);
    expect(times.length).toBeGreaterThan(100);
    expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(LONGEST_P99_MS);
  }, 120_000);
});

/** Retrieves a push of its own again and again; tells how long each time took, in milliseconds. */
async function readUntil(client: Client, isOver: () => boolean): Promise<number[]> {
  const { url_token } = await client.push({ payload: 'tulip', expire_after_views: 1_000_000 });
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    const { body } = await client.retrieve(url_token);
    times.push(performance.now() - start);
    expect(body.payload).toBe('tulip');
  }
  return times;
}

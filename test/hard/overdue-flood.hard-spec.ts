import { IsNull } from 'typeorm';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forEachTest } from '../support/for-tests.js';
import { insertOverdue } from '../support/insert-pushes.js';
import { startApp } from '../support/start-app.js';
import { amount } from './support/amount.js';
import { bestLook, maxAllowed, percentile } from './support/pace.js';
import { retrievalTimes, within } from './support/retrieval-times.js';
import { logFigures } from './support/log-figures.js';

const DIGITS = amount({ full: 5, short: 4 });
const OVERDUE = 10 ** DIGITS;
const QUIET_MS = amount({ full: 10_000, short: 2000 });
const READERS = 4;

describe(`While ${OVERDUE} overdue pushes are expired`, () => {
  const running = forEachTest(() => startApp({ EXPIRE_AFTER_VIEWS_MAX: '1000000' }));

  const readUntil = (isOver: () => boolean) =>
    retrievalTimes(running.anonymous, { readers: READERS, isOver });

  it('others are retrieved without delay, and no overdue push is left at the end', async () => {
    const max = maxAllowed(await readUntil(within(QUIET_MS)));
    let looks = 0;
    const times = await bestLook(async () => {
      looks += 1;
      await insertOverdue(running, DIGITS, `overdue-${looks}`);
      let isSwept = false;
      const reading = readUntil(() => isSwept);
      const swept = await running.app.get(ExpiryService).expireOverdue();
      isSwept = true;

      expect(swept).toBe(OVERDUE);
      return reading;
    }, max);
    const p99 = percentile(times, 99);
    logFigures({ looks, retrievals: times.length, max, p99, longest: Math.max(...times) });

    expect(times.length).toBeGreaterThan(100);
    expect(p99).toBeLessThan(max);
    expect(await running.dataSource.manager.countBy(Push, { expiredOn: IsNull() })).toBe(
      READERS * (1 + looks),
    );
    expect(await running.dataSource.manager.countBy(Push, { payload: IsNull() })).toBe(OVERDUE * looks);
  });
});

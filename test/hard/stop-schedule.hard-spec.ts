import { IsNull } from 'typeorm';
import { Log } from '../../src/platform/logging/log.js';
import { Lease } from '../../src/platform/database/leases.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { eventually } from '../support/eventually.js';
import { forEachTest } from '../support/for-tests.js';
import { insertOverdue } from '../support/insert-pushes.js';
import { makeInstance } from '../support/instance.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { amount } from './support/amount.js';

const DIGITS = amount({ full: 5, short: 4 });
const BATCH = 100;

describe('An app that is stopped while its schedule expires overdue pushes', () => {
  const instance = forEachTest(makeInstance);

  const countActive = ({ dataSource }: RunningApp) =>
    dataSource.manager.countBy(Push, { expiredOn: IsNull() });

  it('stops between two batches, releases its lease, and leaves the rest to the next process', async () => {
    const stopped = await startApp({}, { instance });
    await insertOverdue(stopped, DIGITS);
    const failures = jest.spyOn(stopped.app.get(Log), 'failure');
    const round = stopped.app.get(Jobs).run('expiry');
    await eventually(async () => (await countActive(stopped)) < 10 ** DIGITS);
    await stopped.stop();
    await round;

    const next = await startApp({}, { instance });
    const left = await countActive(next);
    expect(left).toBeGreaterThan(0);
    expect(left % BATCH).toBe(0);
    expect(failures.mock.calls).toEqual([]);
    const lease = await next.dataSource.manager.findOneByOrFail(Lease, { name: 'expiry' });
    expect(String(lease.endsAt)).toBe('0');

    await next.app.get(Jobs).run('expiry');
    expect(await countActive(next)).toBe(0);
    await next.stop();
  });
});

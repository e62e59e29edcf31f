import { IsNull, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { recordSteps } from '../support/recorded-steps.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

const ENTRIES = 1200;
const MAX_ENTRIES = 500;
const MAX_LARGE_PAYLOADS = 4;

describe('In small transactions, which do not block others for long,', () => {
  const running = forAllTests(() => startApp({ RETENTION_DAYS: '1' }));
  const owner = forEachTest(() => running.newUser());

  afterEach(() => jest.restoreAllMocks());

  const make = (terms = {}) =>
    running.app.get(CreationsService).create(someNewPush(terms), someVisitor({ userId: owner.id }));
  const cleanUp = (days: number) => running.app.get(Jobs).run('expiry', after(new Date(), days * DAY_MS));
  const removeAccount = () => running.app.get(AccountRemovalService).remove(owner);
  const entries = () => running.dataSource.manager.count(AuditEntry);
  const payloads = () => running.dataSource.manager.countBy(Push, { payload: Not(IsNull()) });

  async function flood(urlToken: string): Promise<void> {
    const { id: pushId } = await running.app.get(PushRepository).find(urlToken, {});
    const entry = {
      pushId,
      kind: 'failed_view' as const,
      ip: '192.0.2.1',
      userAgent: '',
      referrer: '',
      byOwner: false,
    };
    const rows = Array.from({ length: ENTRIES }, () => ({
      ...entry,
      ...{ id: uuidv7(), linkId: null, createdAt: new Date() },
    }));
    const insert = running.dataSource.createQueryBuilder().insert().into(AuditEntry).values(rows);
    await insert.updateEntity(false).execute(); // not read back: that would be a condition on each of them
  }

  /** By how much each transaction has reduced a count. */
  async function unitsOf(act: () => Promise<unknown>, left: () => Promise<number>): Promise<number[]> {
    const steps = recordSteps(running, left);
    await act();
    return steps.filter((step) => step !== 'pause');
  }

  it.each<[string, () => Promise<unknown>]>([
    ['are purged', () => cleanUp(10)],
    ['go with their account', removeAccount],
  ])('pushes with flooded logs %s', async (_name, act) => {
    await make();
    await flood((await make()).url_token);
    const removed = await unitsOf(act, entries);

    expect(removed.reduce((sum, count) => sum + count)).toBe(ENTRIES + 2);
    expect(Math.max(...removed)).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(await entries()).toBe(0);
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(0);
  });

  it('tokens go with their account', async () => {
    const rows = Array.from({ length: ENTRIES }, (_, i) => ({
      ...{ id: uuidv7(), userId: owner.id, name: `script ${i}`, digest: uuidv7(), prefix: 'tulip0' },
      ...{ createdAt: new Date(), lastUsedAt: null },
    }));
    const tokens = running.dataSource.createQueryBuilder().insert().into(ApiToken).values(rows);
    await tokens.updateEntity(false).execute(); // it would select all of them by one condition for their defaults
    const removed = await unitsOf(removeAccount, () =>
      running.dataSource.manager.countBy(ApiToken, { userId: owner.id }),
    );

    expect(Math.max(...removed)).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(await running.dataSource.manager.countBy(ApiToken, { userId: owner.id })).toBe(0);
  });

  it('a purge of flooded logs stops when the app is closed, and the next one continues', async () => {
    await flood((await make()).url_token);
    await cleanUp(7);
    const closing = await startApp({ RETENTION_DAYS: '1' }, { instance: running.instance });
    const schedule = closing.app.get(Jobs);
    const unitOfWork = closing.app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    const before = await entries();
    let closed: Promise<void> | undefined;
    jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
      const result = await run(work);
      if ((await entries()) < before) closed ??= closing.app.close();
      return result;
    });
    await schedule.run('expiry', after(new Date(), 10 * DAY_MS));
    await closed;

    expect(before - (await entries())).toBeLessThan(ENTRIES);
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(1);
    await cleanUp(10);
    expect(await entries()).toBe(0);
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['end', () => cleanUp(7)],
    ['go with their account', removeAccount],
  ])('pushes with large payloads %s', async (_name, act) => {
    for (let i = 0; i < 10; i++) await make({ payload: 'x'.repeat(1_000_000) });
    const removed = await unitsOf(act, payloads);

    expect(removed.reduce((sum, count) => sum + count)).toBe(10);
    expect(Math.max(...removed)).toBeLessThanOrEqual(MAX_LARGE_PAYLOADS);
    expect(await payloads()).toBe(0);
    await removeAccount();
  });
});

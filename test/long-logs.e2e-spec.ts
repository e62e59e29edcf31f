import { v7 as uuidv7 } from 'uuid';
import { AuditEntry } from '../src/audit/audit-entry.entity.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { AccountRemovalService } from '../src/pushes/account-removal.service.js';
import { ExpirySchedule } from '../src/pushes/expiry.schedule.js';
import { Push } from '../src/pushes/push.entity.js';
import { PushesService } from '../src/pushes/pushes.service.js';
import type { RunningApp, TestUser } from './support/start-app.js';
import { startApp } from './support/start-app.js';
import { after, DAY_MS, someTerms, someVisitor } from './support/terms.js';

const ENTRIES = 1200;
const MOST_IN_A_UNIT = 500;

describe('Pushes with a flooded log', () => {
  let running: RunningApp;
  let owner: TestUser;

  beforeAll(async () => (running = await startApp({ RETENTION_DAYS: '1' })));
  beforeEach(async () => {
    owner = await running.newUser();
    await flood(owner.id);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => running.stop());

  const left = () => running.dataSource.manager.count(AuditEntry);

  /** Pushes with a long log and one with a short one. */
  async function flood(userId: string): Promise<void> {
    const make = () => running.app.get(PushesService).create(someTerms(), someVisitor({ userId }));
    await make();
    const { created_at } = await make();
    const { id: pushId } = await running.dataSource.manager.findOneByOrFail(Push, {
      userId,
      createdAt: new Date(created_at),
    });
    const entry = { pushId, kind: 'failed_view' as const, ip: '192.0.2.1', userAgent: '', referrer: '' };
    const entries = Array.from({ length: ENTRIES }, () => ({
      ...entry,
      ...{ id: uuidv7(), linkId: null, createdAt: new Date() },
    }));
    await running.dataSource.manager.insert(AuditEntry, entries);
  }

  /** How many entries each unit of work has removed. */
  async function unitsOf(act: () => Promise<unknown>): Promise<number[]> {
    const removed: number[] = [];
    const unitOfWork = running.app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
      const before = await left();
      const result = await run(work);
      removed.push(before - (await left()));
      return result;
    });
    await act();
    return removed;
  }

  it.each<[string, () => Promise<unknown>]>([
    ['are purged', () => running.app.get(ExpirySchedule).tidyUp(after(new Date(), 10 * DAY_MS))],
    ['go with their account', () => running.app.get(AccountRemovalService).remove(owner)],
  ])('%s in small units, which hold up nobody', async (_name, act) => {
    const removed = await unitsOf(act);

    expect(removed.reduce((sum, count) => sum + count)).toBe(ENTRIES + 2);
    expect(Math.max(...removed)).toBeLessThanOrEqual(MOST_IN_A_UNIT);
    expect(await left()).toBe(0);
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(0);
  });
});

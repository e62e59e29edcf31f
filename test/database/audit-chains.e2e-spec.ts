import { setImmediate } from 'node:timers/promises';
import { In } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { AuditChainHeadsService, AuditChainHead } from '../../src/audit/audit-chain-heads.service.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { AuditChainService } from '../../src/pushes/audit-log/audit-chain.service.js';
import type { Verification } from '../../src/pushes/audit-log/audit-verification.service.js';
import { AuditVerificationService } from '../../src/pushes/audit-log/audit-verification.service.js';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';
import { auditLines, expectedDigests } from '../support/audit-log.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { fillAuditLog } from '../support/fill-audit-log.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { logStatements } from '../support/recorded-statements.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

describe('The chain of the audit entries of a push', () => {
  const instance = forAllTests(makeInstance);
  const second = forAllTests(() => startApp({}, { instance }));
  const running = forAllTests(() => startApp({}, { instance }));
  const owner = forEachTest(() => running.newUser());

  const idOf = async (urlToken: string) => (await running.app.get(PushRepository).find(urlToken, {})).id;
  const chain = ({ app } = running) => app.get(AuditChainService).chainNewEntries();
  const entriesOf = (pushId: string) =>
    running.dataSource.manager.find(AuditEntry, { where: { pushId }, order: { number: 'ASC' } });
  const verify = (): Promise<Verification> =>
    running.app.get(AuditVerificationService).verify(() => undefined);
  const lateEntry = (pushId: string, createdAt: Date) => ({
    ...{ id: uuidv7({ msecs: createdAt.getTime() }), pushId, kind: 'view' as const, createdAt },
    ...{ ip: '192.0.2.1', userAgent: 'late', referrer: '', byOwner: false, linkId: null },
  });

  it('is made by the scheduled job, for pushes with and without an owner', async () => {
    const owned = await owner.client.push({ payload: 'tulip' });
    const ownerless = await running.anonymous.push({ payload: 'tulip' });
    await running.app.get(Jobs).run('audit-chain');

    expect(await entriesOf(await idOf(owned.url_token))).toEqual([
      expect.objectContaining({
        ownerId: owner.id,
        number: 1,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    ]);
    expect(await entriesOf(await idOf(ownerless.url_token))).toEqual([
      expect.objectContaining({ ownerId: 'none', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ]);
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
  });

  it('is not part of the requests that write entries', async () => {
    const sql: string[] = [];
    const stop = await logStatements(running.app, (statement) => sql.push(statement));
    const { url_token } = await owner.client.push({ payload: 'tulip', passphrase: 'horse' });
    for (const passphrase of ['cow', 'horse']) await running.anonymous.retrieve(url_token, passphrase);
    await owner.client.delete(`/api/v2/pushes/${url_token}`);
    await running.anonymous.retrieve(url_token);
    stop();

    expect(sql.filter((statement) => /audit_(heads|sequences)/.test(statement))).toEqual([]);
    expect(await verify()).toMatchObject({ broken: 0, unchained: 5 });
    await chain();
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
  });

  it('is written by one statement for each table, however many entries and pushes there are', async () => {
    await chain();
    const pushes = await allAtOnce(20, (i) =>
      (i % 2 ? owner.client : running.anonymous).push({ payload: 'tulip' }),
    );
    await allAtOnce(40, (i) => running.anonymous.retrieve(pushes[i % 20].url_token));
    const sql: string[] = [];
    const stop = await logStatements(running.app, (statement) => sql.push(statement));
    await chain();
    stop();

    const writes = sql.flatMap((statement) => /^(INSERT INTO|UPDATE) audit_\w+/.exec(statement)?.[0] ?? []);
    expect(writes.filter((write) => write !== 'UPDATE audit_sequences')).toEqual([
      'INSERT INTO audit_heads',
      'UPDATE audit_entries',
      'UPDATE audit_heads',
      'INSERT INTO audit_sequences', // the first push of this owner
    ]);
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
    expect((await auditLines(owner.client)).map(({ id }) => id)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
  });

  it('continues after entries that were committed later than newer ones, which no reader misses', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const other = await owner.client.push({ payload: 'tulip' });
    const before = await auditLines(owner.client);
    const pushId = await idOf(url_token);
    await running.dataSource.manager.insert(AuditEntry, lateEntry(pushId, new Date(Date.now() - MINUTE_MS)));
    await running.anonymous.retrieve(other.url_token);

    const { body } = await owner.client.get('/api/v2/audit');
    const later = await auditLines(owner.client, `?after=${before.at(-1)?.id}`);
    expect(later.map(({ id, user_agent }) => [id, user_agent])).toEqual([
      [3, 'late'],
      [4, expect.not.stringContaining('late')],
    ]);
    expect([...before, ...later].map(({ digest }) => digest)).toEqual(expectedDigests(body));
    expect(await verify()).toMatchObject({ broken: 0 });
  });

  it('is one, whichever of several processes make it at the same time', async () => {
    const tokens = await allAtOnce(5, async () => {
      const { url_token } = await owner.client.push({ payload: 'tulip' });
      return url_token as string;
    });
    for (const token of tokens) await fillAuditLog(running.dataSource, await idOf(token), 100);
    await allAtOnce(6, (i) => chain(i % 2 === 0 ? running : second));

    const { body } = await owner.client.get('/api/v2/audit?limit=10000');
    const lines = await auditLines(owner.client, '?limit=10000');
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 505 }, (_, i) => i + 1));
    expect(lines.map(({ digest }) => digest)).toEqual(expectedDigests(body));
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
  });

  it('is whole while pushes are used and chained at the same time', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 50 });
    const use = () =>
      allAtOnce(60, async (i) => {
        if (i % 3 === 0) await owner.client.push({ payload: 'tulip', kind: 'text' });
        else await running.anonymous.retrieve(url_token);
      });
    let isOver = false;
    const chainAll = async (app: RunningApp) => {
      while (!isOver) {
        await chain(app);
        await setImmediate(); // when nothing is new, it lets no request through by itself
      }
    };
    await Promise.all([use().finally(() => (isOver = true)), chainAll(running), chainAll(second)]);
    await chain();

    const { body } = await owner.client.get('/api/v2/audit');
    expect((await auditLines(owner.client)).map(({ digest }) => digest)).toEqual(expectedDigests(body));
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
  });

  it('goes with its push, even while it is made', async () => {
    for (let i = 0; i < 3; i++) {
      const { url_token } = await owner.client.push({ payload: 'tulip' });
      await fillAuditLog(running.dataSource, await idOf(url_token), 300);
    }
    const { manager } = running.dataSource;
    await Promise.all([running.app.get(AccountRemovalService).remove(owner), chain(), chain(second)]);
    await chain();

    expect(await manager.countBy(AuditEntry, { ownerId: owner.id })).toBe(0);
    expect(await verify()).toMatchObject({ broken: 0, removing: 0, unchained: 0 });
    const orphans = 'SELECT push_id FROM audit_heads WHERE push_id NOT IN (SELECT id FROM pushes)';
    expect(await manager.query(orphans)).toEqual([]);
  });

  it('is not called broken when the removal of its push was interrupted', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const pushId = await idOf(url_token);
    await fillAuditLog(running.dataSource, pushId, 600);
    await chain();
    const unitOfWork = running.app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
      if ((await running.dataSource.manager.countBy(AuditEntry, { pushId })) < 601)
        throw new Error('the process ends here');
      return run(work);
    });
    await expect(running.app.get(AccountRemovalService).remove(owner)).rejects.toThrow('ends here');
    jest.restoreAllMocks();

    expect((await entriesOf(pushId)).length).toBe(101);
    await running.anonymous.retrieve(url_token);
    await chain();
    expect((await entriesOf(pushId)).filter(({ digest }) => digest === null)).toEqual([]); // it is still in use
    expect(await verify()).toMatchObject({ broken: 0, removing: 1 });
    await running.app.get(AccountRemovalService).remove(owner);
    expect(await verify()).toMatchObject({ broken: 0, removing: 0 });
  });

  it('is neither begun nor marked for pushes that are gone', async () => {
    const gone = ['0192f0c1-0000-7000-8000-000000000001', '0192f0c1-0000-7000-8000-000000000002'];
    const heads = running.app.get(AuditChainHeadsService);
    await heads.ensure(gone);
    await heads.markRemoving(gone);

    expect(await running.dataSource.manager.countBy(AuditChainHead, { pushId: In(gone) })).toBe(0);
  });

  it('holds the full log of a flooded push (I3)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const pushId = await idOf(url_token);
    await fillAuditLog(running.dataSource, pushId, 3 * 2000);
    await chain();

    expect(await running.dataSource.manager.findOneBy(AuditChainHead, { pushId })).toMatchObject({
      entries: 6001,
      removing: false,
    });
    expect(await verify()).toMatchObject({ broken: 0, unchained: 0 });
  });
});

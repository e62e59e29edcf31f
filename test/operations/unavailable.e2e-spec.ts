import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { isUnavailable } from '../../src/platform/database/errors/database-error.js';
import { Lease } from '../../src/platform/database/leases.js';
import { engine } from '../support/engine.js';
import { forEachTest } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import { connectBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { startApp } from '../support/start-app.js';

const reasonOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('A database that is temporarily unavailable', () => {
  const instance = forEachTest(makeInstance);
  const database = forEachTest(() => openDatabase(instance));
  const other = forEachTest(() => connectBeside(instance));

  it('does not block the process, and a waiting transaction is committed when it is available again', async () => {
    await database.write('row');
    await other.query(engine.url === undefined ? 'BEGIN IMMEDIATE' : 'BEGIN');
    await other.query("UPDATE leases SET ends_at = 1 WHERE name = 'row'");
    let isDone = false;
    const transaction = database.unitOfWork
      .run((manager) => manager.increment(Lease, { name: 'row' }, 'endsAt', 10))
      .then(() => (isDone = true));

    for (let turn = 0; turn < 10; turn++) await setTimeout(5); // the event loop is not blocked
    expect(isDone).toBe(false);
    await other.query('COMMIT');
    await transaction;

    const [row] = await database.dataSource.manager.find(Lease);
    expect(String(row?.endsAt)).toBe('11');
  });

  if (engine.url === undefined) {
    it('is recognised when the disk is full, and works again once there is space', async () => {
      await database.write('before');
      const [{ page_count: pages }] = await database.onWriter('PRAGMA page_count');
      await database.onWriter(`PRAGMA max_page_count = ${Number(pages) + 12}`);
      const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
      const ends = await Promise.allSettled(names.map((name) => database.write(name, 'x'.repeat(12_000))));

      const kept = names.filter((_, index) => ends[index]?.status === 'fulfilled');
      const reasons = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
      expect(reasons.length).toBeGreaterThan(0);
      expect(reasons.map(isUnavailable)).toEqual(reasons.map(() => true));
      expect(await database.written()).toEqual(['before', ...kept]);

      await database.onWriter('PRAGMA max_page_count = 1000000');
      await database.write('zzz');
      expect(await database.written()).toEqual(['before', ...kept, 'zzz']);
    });

    it('commits nothing of a batch whose transaction was rolled back by a failed statement, and continues', async () => {
      await database.write('taken');
      const rollBack = (manager: EntityManager) =>
        manager.query("INSERT OR ROLLBACK INTO leases VALUES ('taken', '', 0)").catch(() => undefined);
      const ends = await Promise.allSettled([
        database.write('one'),
        database.unitOfWork.run(async (manager) => {
          await manager.insert(Lease, { name: 'two', holder: '', endsAt: 0 });
          await rollBack(manager); // as SQLite itself does when a read or a memory allocation fails
          await manager.insert(Lease, { name: 'three', holder: '', endsAt: 0 });
        }),
        database.write('four'),
      ]);

      const reasons = ends.map((end): unknown => (end.status === 'rejected' ? end.reason : 'kept'));
      expect(reasons.map(isUnavailable)).toEqual([true, true, true]);
      expect(await database.written()).toEqual(['taken']);
      await database.write('zzz');
      expect(await database.written()).toEqual(['taken', 'zzz']);
    });

    it('is recognised when it is read-only', async () => {
      await database.onWriter('PRAGMA query_only = ON');
      const reason = await reasonOf(database.write('lost'));
      await database.onWriter('PRAGMA query_only = OFF');
      await database.write('kept');

      expect(isUnavailable(reason)).toBe(true);
      expect(await database.written()).toEqual(['kept']);
    });

    it('makes the server respond with 503 after ten seconds, without using up a view (I8)', async () => {
      const running = await startApp({ LOG_LEVEL: 'error' }, { instance });
      const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
      await other.query('BEGIN IMMEDIATE');
      const busy = await running.anonymous.retrieve(url_token);
      await other.query('ROLLBACK');
      const free = await running.anonymous.retrieve(url_token);
      await running.stop();

      expect(busy.status).toBe(503);
      expect(busy.headers.get('Retry-After')).toBe('5');
      expect(busy.body).toEqual({
        error: 'The service is unavailable for the moment. Try again in a few seconds.',
      });
      expect(free.body).toMatchObject({ payload: 'tulip', views_remaining: 0 });
    });
  }
});

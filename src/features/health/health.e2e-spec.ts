import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { eventually } from '../../../test/support/eventually.js';
import { forEachTest } from '../../../test/support/for-tests.js';
import { queryBeside } from '../../../test/support/other-connection.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { engine } from '../../../test/support/engine.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';
import { bytesInSql } from '../../../test/support/server-database.js';

const ALL_WELL = { database: true, writes: true, migrations: true, keys: true };

describe('GET /up', () => {
  it('responds to any client without a rate limit, even when nothing else works', async () => {
    const running = await startApp({ REQUESTS_PER_MINUTE: '1', ALLOW_ANONYMOUS: 'false' });
    const wrong = running.anonymous.with({ Authorization: 'Bearer wrong' });
    const before = await allAtOnce(20, () => wrong.get('/up'));
    await damage(running, 'DROP TABLE migrations');
    const { status, body } = await running.anonymous.get('/up');
    await running.stop();

    expect(before.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([status, body]).toEqual([200, { up: true }]);
  });
});

describe('GET /ready', () => {
  const running = forEachTest(() => startApp({ REQUESTS_PER_MINUTE: '1' }));

  const refusal = (checks: Partial<typeof ALL_WELL>) => ({
    status: 503,
    body: { error: 'Not ready to serve.', ready: false, checks: { ...ALL_WELL, ...checks } },
  });

  it('responds to any client without a rate limit', async () => {
    const answers = await allAtOnce(20, () => running.anonymous.get('/ready'));

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { ready: true, checks: ALL_WELL } });
    }
  });

  it('is 503 in JSON when a migration has not run', async () => {
    await damage(running, "DELETE FROM migrations WHERE name LIKE 'Pushes%'");
    const answer = await running.anonymous.get('/ready');

    expect(answer).toMatchObject(refusal({ migrations: false }));
    expect(answer.headers.get('Retry-After')).toBe('5');
  });

  it('is 503 when the database can be read but not written (L16)', async () => {
    await damage(running, 'DROP TABLE leases');

    expect(await running.anonymous.get('/ready')).toMatchObject(refusal({ writes: false }));
  });

  it('is 503 while write statements are rejected (L16)', async () => {
    if (engine.name !== 'sqlite') return; // a database server can only reject them for all its databases
    const unitOfWork = running.app.get(UnitOfWork);
    await unitOfWork.outsideTransaction((manager) => manager.query('PRAGMA query_only = ON'));
    const before = await running.anonymous.get('/ready');
    await unitOfWork.outsideTransaction((manager) => manager.query('PRAGMA query_only = OFF'));

    expect(before).toMatchObject(refusal({ writes: false }));
  });

  it('is 503 when another process has added a master key that this one does not have', async () => {
    await damage(
      running,
      `INSERT INTO master_keys (id, key_check, created_at) VALUES ('0123456789abcdef', ${bytesInSql('00')}, '2026-01-01 00:00:00.000')`,
    );

    expect(await running.anonymous.get('/ready')).toMatchObject(refusal({ keys: false }));
  });

  it('is 503 when the master key in use has been removed', async () => {
    await damage(running, 'DELETE FROM master_keys');

    expect(await running.anonymous.get('/ready')).toMatchObject(refusal({ keys: false }));
  });

  it('stays 200 when files cannot be stored, and is 503 with ?full', async () => {
    const before = await running.anonymous.get('/ready?full');
    const folder = join(running.instance.dataDir, 'files');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'not a folder');
    let full = before;
    await eventually(async () => (full = await running.anonymous.get('/ready?full')).status === 503);

    expect(before).toMatchObject({ status: 200, body: { checks: { ...ALL_WELL, store: true } } });
    expect(full).toMatchObject({ status: 503, body: { checks: { ...ALL_WELL, store: false } } });
    expect((await running.anonymous.get('/ready')).body).toEqual({ ready: true, checks: ALL_WELL });
  });

  it('is 503 when the database does not respond', async () => {
    const hasOwnWriter = engine.name === 'sqlite'; // its write connection is not closed by this test
    await running.dataSource.destroy();

    expect(await running.anonymous.get('/ready')).toMatchObject(
      refusal({ database: false, writes: hasOwnWriter, migrations: false, keys: false }),
    );
    await running.dataSource.initialize(); // so that it can be closed with the app
  });
});

async function damage({ instance }: RunningApp, statement: string): Promise<void> {
  await queryBeside(instance, statement);
}

import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppModule } from '../../src/app.module.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import { forEachTest } from '../support/for-tests.js';
import { connectBeside, queryBeside } from '../support/other-connection.js';
import type { Instance } from '../support/instance.js';
import { makeNewInstance } from '../support/instance.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

const key = () => randomBytes(32).toString('base64');

describe('Starting', () => {
  const instance = forEachTest(makeNewInstance);

  it('works for four processes at the same time on one empty database (K5)', async () => {
    const servers = await Promise.all([1, 2, 3, 4].map(() => spawnServer(instance)));
    const pushes = await Promise.all(servers.map(({ anonymous }) => anonymous.push({ payload: 'tulip' })));
    const answers = await Promise.all(
      servers.map(({ anonymous }, index) => anonymous.retrieve(pushes[(index + 1) % 4].url_token)),
    );
    const exits = await Promise.all(servers.map((server) => server.stop()));

    expect(answers.map(({ body }) => body.payload)).toEqual(Array(4).fill('tulip'));
    expect(exits).toEqual([0, 0, 0, 0]);
    expect(await schemaErrors(instance)).toEqual([]);
    expect(await migrationsDone(instance)).toEqual(await migrationsByTime());
    expect((await readdir(instance.dataDir)).filter((name) => name.startsWith('master.key'))).toEqual([
      'master.key',
    ]);
    expect((await stat(join(instance.dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  });

  it('changes nothing when repeated', async () => {
    await (await startApp({}, { instance })).stop();
    const masterKey = await readFile(join(instance.dataDir, 'master.key'), 'utf8');
    await (await startApp({}, { instance })).stop();

    expect(await readFile(join(instance.dataDir, 'master.key'), 'utf8')).toBe(masterKey);
    expect(await migrationsDone(instance)).toEqual(await migrationsByTime());
    expect(await schemaErrors(instance)).toEqual([]);
  });

  it('finishes the migrations of a start that was killed (K5)', async () => {
    for (const killAfter of [250, 400, 500, 600, 700, 850]) await run('main.js', instance, { killAfter });
    await letLeasesRunOut(instance);
    const server = await spawnServer(instance);
    const { url_token } = await server.anonymous.push({ payload: 'tulip' });
    const { body } = await server.anonymous.retrieve(url_token);
    await server.stop('SIGKILL');

    expect(body.payload).toBe('tulip');
    expect(await schemaErrors(instance)).toEqual([]);
  });

  it('finishes a migration that has created only its first tables', async () => {
    await (await startApp({}, { instance })).stop();
    const other = await connectBeside(instance);
    for (const table of [
      'link_mails',
      'audit_heads',
      'entered_addresses',
      'audit_entries',
      'passphrase_attempts',
      'open_codes',
      'openings',
      'idempotency_keys',
      'request_answers',
      'pushes',
      'migrations',
    ])
      await other.query(`DROP TABLE ${table}`);
    await other.close();

    await (await startApp({}, { instance })).stop();
    expect(await schemaErrors(instance)).toEqual([]);
  });

  it('accepts only one of two master keys if processes first start with both at the same time (J2)', async () => {
    const keys = [key(), key()];
    const starts = await Promise.allSettled(
      keys.map((MASTER_KEYS) => spawnServer(instance, { MASTER_KEYS })),
    );
    const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const losers = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
    await Promise.all(winners.map((server) => server.stop()));

    expect(winners).toHaveLength(1);
    expect(losers).toEqual([
      expect.stringMatching(/exit 1: sealpush: The database holds .* master key [0-9a-f]{16}, .*\.\n$/s),
    ]);
  });
});

/** The differences between the schema and the entities. */
async function schemaErrors(instance: Instance): Promise<string[]> {
  const running = await startApp({}, { instance });
  const { upQueries } = await running.dataSource.driver.createSchemaBuilder().log();
  await running.stop();
  return upQueries.map(({ query }) => query);
}

async function migrationsByTime(): Promise<string[]> {
  const names = (await schemaIn(AppModule)).migrations.map(({ name }) => name);
  return names.sort((one, other) => one.slice(-13).localeCompare(other.slice(-13)));
}

async function migrationsDone(instance: Instance): Promise<string[]> {
  const rows = await queryBeside(instance, 'SELECT name FROM migrations');
  return rows.map(({ name }) => name as string);
}

/** As if half a minute had passed. */
async function letLeasesRunOut(instance: Instance): Promise<void> {
  const other = await connectBeside(instance);
  await other.query('UPDATE leases SET ends_at = 0').catch(() => undefined); // the table may not exist yet
  await other.close();
}

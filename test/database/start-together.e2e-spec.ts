import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../../src/database/migrations/index.js';
import { connectBeside } from '../support/other-connection.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

const key = () => randomBytes(32).toString('base64');

describe('Starting', () => {
  let place: Place;

  beforeEach(async () => (place = await makePlace()));
  afterEach(() => place.destroy());

  it('works for four processes at the same time on one empty database (K5)', async () => {
    const servers = await Promise.all([1, 2, 3, 4].map(() => spawnServer(place)));
    const pushes = await Promise.all(servers.map(({ anonymous }) => anonymous.push({ payload: 'tulip' })));
    const answers = await Promise.all(
      servers.map(({ anonymous }, index) => anonymous.retrieve(pushes[(index + 1) % 4].url_token)),
    );
    const exits = await Promise.all(servers.map((server) => server.stop()));

    expect(answers.map(({ body }) => body.payload)).toEqual(Array(4).fill('tulip'));
    expect(exits).toEqual([0, 0, 0, 0]);
    expect(await schemaFaults(place)).toEqual([]);
    expect(await migrationsDone(place)).toEqual(migrations.map(({ name }) => name));
    expect((await readdir(place.dataDir)).filter((name) => name.startsWith('master.key'))).toEqual([
      'master.key',
    ]);
    expect((await stat(join(place.dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  });

  it('changes nothing when repeated', async () => {
    await (await startApp({}, place)).stop();
    const masterKey = await readFile(join(place.dataDir, 'master.key'), 'utf8');
    await (await startApp({}, place)).stop();

    expect(await readFile(join(place.dataDir, 'master.key'), 'utf8')).toBe(masterKey);
    expect(await migrationsDone(place)).toEqual(migrations.map(({ name }) => name));
    expect(await schemaFaults(place)).toEqual([]);
  });

  it('finishes the migrations of a start that was killed (K5)', async () => {
    for (const killAfter of [250, 400, 500, 600, 700, 850]) await run('main.js', place, { killAfter });
    await letLeasesRunOut(place);
    const server = await spawnServer(place);
    const { url_token } = await server.anonymous.push({ payload: 'tulip' });
    const { body } = await server.anonymous.retrieve(url_token);
    await server.stop('SIGKILL');

    expect(body.payload).toBe('tulip');
    expect(await schemaFaults(place)).toEqual([]);
  });

  it('finishes a migration that has created only its first tables', async () => {
    await (await startApp({}, place)).stop();
    const other = await connectBeside(place);
    for (const table of ['audit_entries', 'passphrase_attempts', 'idempotency_keys', 'pushes', 'migrations'])
      await other.query(`DROP TABLE ${table}`);
    await other.close();

    await (await startApp({}, place)).stop();
    expect(await schemaFaults(place)).toEqual([]);
  });

  it('accepts only one of two master keys if processes first start with both at the same time (J2)', async () => {
    const keys = [key(), key()];
    const starts = await Promise.allSettled(keys.map((MASTER_KEYS) => spawnServer(place, { MASTER_KEYS })));
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
async function schemaFaults(place: Place): Promise<string[]> {
  const running = await startApp({}, place);
  const { upQueries } = await running.dataSource.driver.createSchemaBuilder().log();
  await running.stop();
  return upQueries.map(({ query }) => query);
}

async function migrationsDone(place: Place): Promise<string[]> {
  const other = await connectBeside(place);
  const rows = await other.query('SELECT name FROM migrations');
  await other.close();
  return rows.map(({ name }) => name as string);
}

/** As if half a minute had passed. */
async function letLeasesRunOut(place: Place): Promise<void> {
  const other = await connectBeside(place);
  await other.query('UPDATE leases SET ends_at = 0').catch(() => undefined); // the table may not exist yet
  await other.close();
}

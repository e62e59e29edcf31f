import { setTimeout } from 'node:timers/promises';
import { open } from '../../src/platform/database/connect.js';
import { dataSourceOptions } from '../../src/platform/database/engines/engines.js';
import { databaseErrorCode, isUnavailable } from '../../src/platform/database/errors/database-error.js';
import { ServerPool } from '../../src/platform/database/postgres/server-pool.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { command } from '../support/command.js';
import { engine } from '../support/engine.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { queryBeside } from '../support/other-connection.js';
import { onDatabase } from '../support/server-database.js';
import { startApp } from '../support/start-app.js';

const CONNECTIONS = 10;
const WAIT_MS = 500;

describe('The sessions of a service on PostgreSQL', () => {
  const instance = forEachTest(makeNewInstance);
  const name = () => new URL(instance.env.DATABASE_URL ?? '').pathname.slice(1);
  const onServer = (sql: string) => onDatabase(engine.url ?? '', (server) => server.query(sql));
  const endSessions = () =>
    onServer(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name()}' AND pid <> pg_backend_pid()`,
    );
  const start = (env: Record<string, string> = {}) => forThisTest(startApp(env, { instance }));
  type Running = Awaited<ReturnType<typeof start>>;

  /** Uses each connection of the pool for each of these. */
  async function useAll({ anonymous }: Running) {
    const pushes = await allAtOnce(CONNECTIONS, () =>
      anonymous.post('/api/v2/pushes', { push: { payload: 'tulip', expire_after_views: 2 } }),
    );
    const tokens = pushes.map(({ body }) => body.url_token as string);
    const previews = await allAtOnce(CONNECTIONS, (caller) =>
      anonymous.get(`/api/v2/pushes/${tokens[caller]}/preview`),
    );
    const views = await allAtOnce(CONNECTIONS, (caller) => anonymous.retrieve(tokens[caller] ?? ''));
    return tally([...pushes, ...previews, ...views].map(({ status }) => String(status)));
  }

  const DONE = { 200: 2 * CONNECTIONS, 201: CONNECTIONS };

  it('may lose what they have prepared: nothing fails', async () => {
    const running = await start();
    await useAll(running);
    await allAtOnce(CONNECTIONS, () => running.dataSource.query('DEALLOCATE ALL; SELECT pg_sleep(0.1)'));

    expect(await useAll(running)).toEqual(DONE);
  });

  it('may find that a newer version has changed the type of a column: nothing fails', async () => {
    const running = await start();
    await useAll(running);
    await queryBeside(instance, 'ALTER TABLE pushes ALTER COLUMN kind TYPE varchar(100)');

    expect(await useAll(running)).toEqual(DONE);
  });

  it('have no transaction left open by whoever used them before', async () => {
    const running = await start({ DATABASE_POOL_SIZE: '1' });
    const runner = running.dataSource.createQueryRunner();
    await runner.query('BEGIN');
    await runner.release();
    await running.anonymous.push({ payload: 'tulip' });

    expect(await queryBeside(instance, 'SELECT COUNT(*) AS pushes FROM pushes')).toEqual([{ pushes: 1 }]);
  });

  it.each([
    ['accepts nobody any more', []],
    ['has another name', ['RENAME TO']],
  ])('that cannot be opened any more because the database %s are an outage', async (_what, [rename]) => {
    const running = await start();
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    const [own, other] = [name(), `${name()}_x`];
    await onServer(`ALTER DATABASE ${own} ALLOW_CONNECTIONS false`);
    await endSessions();
    if (rename) await onServer(`ALTER DATABASE ${own} ${rename} ${other}`);
    const statuses = [
      (await running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } })).status,
      (await running.anonymous.retrieve(url_token)).status,
      (await running.anonymous.get('/ready')).status,
    ];
    if (rename) await onServer(`ALTER DATABASE ${other} ${rename} ${own}`);
    await onServer(`ALTER DATABASE ${own} ALLOW_CONNECTIONS true`);

    expect(statuses).toEqual([503, 503, 503]);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
  });

  it('are waited for once when all are in use, also with several servers', async () => {
    const { hostname, port } = new URL(engine.url ?? '');
    const servers = [
      { host: hostname, port: Number(port) },
      { host: '127.0.0.1', port: 1 },
    ];
    const user = { user: 'postgres', password: () => '', database: 'postgres' };
    const limits = { max: 1, connectionTimeoutMillis: WAIT_MS };
    const pool = new ServerPool({ servers, ...user, ...limits, isPooled: false });
    const held = await pool.connect();
    const begunAt = performance.now();
    const error: unknown = await pool.connect().catch((reason: unknown) => reason);
    const waited = performance.now() - begunAt;
    held.release();
    await pool.end();

    expect([isUnavailable(error), databaseErrorCode(error)]).toEqual([true, 'ETIMEDOUT']);
    expect(waited).toBeLessThan(1.9 * WAIT_MS);
  });

  it('are not ended by limits of the user while a command works', async () => {
    await onServer(`ALTER DATABASE ${name()} SET statement_timeout = '50ms'`);
    await onServer(`ALTER DATABASE ${name()} SET idle_session_timeout = '50ms'`);
    const settings = readSettings(instance.env);
    const options = Object.assign(await dataSourceOptions(settings), { entities: [], migrations: [] });
    const database = await open(options);
    const slow = await database.query("SELECT 'done' AS result, pg_sleep(0.2)");
    await setTimeout(100);
    const after = await database.query('SELECT 1 AS still');
    await database.destroy();

    expect([slow, after]).toEqual([[{ result: 'done', pg_sleep: '' }], [{ still: 1 }]]);
  });

  it('take row locks for rules of several rows in a transaction of the same isolation, whatever the default', async () => {
    await onServer(`ALTER DATABASE ${name()} SET default_transaction_isolation = 'repeatable read'`);
    const running = await start();
    const isolation = await running.app
      .get(UnitOfWork)
      .run((manager) => manager.query("SELECT current_setting('transaction_isolation') AS level"));

    expect(isolation).toEqual([{ level: 'read committed' }]);
  });

  it('are refused in a sentence when there is no schema for tables', async () => {
    await onServer(`ALTER DATABASE ${name()} SET search_path = 'nowhere'`);
    const { code, stderr } = await command(instance, ['settings:check']);

    expect([code, stderr]).toEqual([
      1,
      'sealpush: The database has no schema for tables: none that search_path of the user names exists. Create it, or change search_path.\n',
    ]);
  });

  it('are not trusted when others may create functions that they would call', async () => {
    const role = `${name()}_other`;
    await onServer(`CREATE ROLE ${role} LOGIN`);
    await queryBeside(instance, 'GRANT CREATE ON SCHEMA public TO PUBLIC');
    const { code, stderr } = await command(instance, ['settings:check']);
    await onServer(`DROP ROLE ${role}`);

    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /may create functions in the schema public.*REVOKE CREATE ON SCHEMA public FROM PUBLIC/,
      ),
    ]);
  });
});

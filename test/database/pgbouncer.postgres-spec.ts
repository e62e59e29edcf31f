import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { createDatabase, dropDatabase } from '../support/databases.js';
import { command } from '../support/command.js';
import { engine } from '../support/engine.js';
import { findProgram } from '../support/find-program.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import type { Instance } from '../support/instance.js';
import { makeSqliteInstance } from '../support/instance.js';
import { PgBouncer } from '../support/postgres-server.js';
import { onDatabase } from '../support/server-database.js';
import { startApp } from '../support/start-app.js';

const installed = findProgram('pgbouncer', 'PgBouncer can be used', ['/usr/sbin']);

/** Fewer than the service has connections. */
const SESSIONS = 3;

(installed === undefined ? describe.skip : describe)('PgBouncer with transaction pooling', () => {
  const bouncer = forAllTests(() => PgBouncer.start(engine.url ?? '', SESSIONS));

  async function newInstance(): Promise<Instance> {
    const url = await createDatabase();
    const made = await makeSqliteInstance();
    const DATABASE_URL = `${bouncer.url}${new URL(url).pathname}`;
    const destroy = async () => void (await Promise.all([made.destroy(), dropDatabase(url)]));
    return { ...made, env: { ...made.env, DATABASE_URL }, destroy };
  }

  it('lets two services on one database show a secret exactly as often as promised', async () => {
    const instance = await forThisTest(newInstance());
    const first = await forThisTest(startApp({}, { instance }));
    const tokens = await allAtOnce(12, async () => {
      const { url_token } = await first.anonymous.push({ payload: 'tulip', expire_after_views: 3 });
      return url_token;
    });
    const second = await forThisTest(startApp({}, { instance }));

    for (const token of tokens) {
      const ask = (caller: number) => (caller % 2 ? first : second).anonymous.retrieve(token);
      expect(outcomes(await allAtOnce(12, ask), 'tulip')).toEqual({ shown: 3, expired: 9 });
    }
    expect((await first.anonymous.get('/ready')).status).toBe(200);
  });

  it('gets sessions without anything that the service has set', async () => {
    const instance = await forThisTest(newInstance());
    const running = await forThisTest(startApp({}, { instance }));
    await allAtOnce(12, () => running.anonymous.push({ payload: 'tulip' }));
    const settings = await onDatabase(instance.env.DATABASE_URL ?? '', (database) =>
      database.query(
        "SELECT name, setting FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout') UNION SELECT name, statement FROM pg_prepared_statements",
      ),
    );

    expect(settings.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'lock_timeout', setting: '0' },
      { name: 'statement_timeout', setting: '0' },
    ]);
  });

  it('limits how long a transaction waits for a lock', async () => {
    const instance = await forThisTest(newInstance());
    const running = await forThisTest(startApp({}, { instance }));
    const [{ waits }] = await running.dataSource.query("SELECT current_setting('lock_timeout') AS waits");
    const { UnitOfWork } = await import('../../src/platform/database/transactions/unit-of-work.js');
    const within = await running.app
      .get(UnitOfWork)
      .run((manager) => manager.query("SELECT current_setting('lock_timeout') AS waits"));

    expect([waits, within]).toEqual(['0', [{ waits: '5s' }]]);
  });

  it.each([
    ['dates', "DateStyle = 'German'", 'DateStyle = ISO'],
    ['bytes', "bytea_output = 'escape'", 'bytea_output = hex'],
  ])(
    'is refused where its sessions write %s in another way than they are read',
    async (_what, setting, needed) => {
      const instance = await forThisTest(newInstance());
      const name = new URL(instance.env.DATABASE_URL ?? '').pathname.slice(1);
      await onDatabase(engine.url ?? '', (server) => server.query(`ALTER DATABASE ${name} SET ${setting}`));
      const { code, stderr } = await command(instance, ['settings:check']);

      expect([code, stderr]).toEqual([
        1,
        `sealpush: The pooler in front of the database has sessions without ${needed}, which the service cannot set there. Set it for the user or the database.\n`,
      ]);
    },
  );
});

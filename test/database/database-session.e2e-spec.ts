import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { isMissingParent } from '../../src/platform/database/errors/database-error.js';
import { engine } from '../support/engine.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { someNewPush } from '../support/new-pushes.js';
import { queryBeside } from '../support/other-connection.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

const TEXT_OF_CREATED_AT = {
  sqlite: 'created_at',
  mariadb: 'CAST(created_at AS char)',
  mysql: 'CAST(created_at AS char)',
  postgres: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')",
};

describe('The database connection', () => {
  const running = forAllTests(startApp);

  if (engine.url === undefined) {
    it.each([
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['secure_delete', 1],
      ['temp_store', 2],
      ['foreign_keys', 1],
    ])('has %s set to %s (A8, H2)', async (pragma, value) => {
      expect(await running.dataSource.query(`PRAGMA ${pragma}`)).toEqual([{ [pragma]: value }]);
    });
  } else if (engine.name === 'postgres') {
    it.each([
      ['default_transaction_isolation', 'read committed'],
      ['client_encoding', 'UTF8'],
      ['TimeZone', 'UTC'],
      ['lock_timeout', '5s'],
      ['statement_timeout', '10s'],
      ['idle_in_transaction_session_timeout', '30s'],
    ])('has %s set to %s on every connection of the pool', async (name, value) => {
      const ask = () => running.dataSource.query(`SELECT current_setting('${name}') AS value`);
      const answers = await Promise.all(Array.from({ length: 12 }, ask));

      expect(answers).toEqual(Array(12).fill([{ value }]));
    });

    it('rejects a value that is too long instead of truncating it', async () => {
      const insert = running.dataSource.query(
        'INSERT INTO leases (name, holder, ends_at) VALUES ($1, $2, 0)',
        ['x'.repeat(65), ''],
      );

      await expect(insert).rejects.toMatchObject({ driverError: { code: '22001' } });
    });
  } else {
    it('reads committed data, rejects values that do not fit, and uses utf8mb4', async () => {
      const isolation = engine.name === 'mariadb' ? '@@tx_isolation' : '@@transaction_isolation';
      const ask = () =>
        running.dataSource.query(
          `SELECT ${isolation} AS isolation, @@sql_mode AS mode, @@character_set_connection AS charset`,
        );
      const answers = await Promise.all(Array.from({ length: 12 }, ask)); // on every connection of the pool

      for (const [{ isolation, mode, charset }] of answers) {
        expect({ isolation, charset }).toEqual({ isolation: 'READ-COMMITTED', charset: 'utf8mb4' });
        expect(mode).toContain('STRICT_ALL_TABLES');
      }
    });

    it('rejects a value that is too long instead of truncating it', async () => {
      const insert = running.query('INSERT INTO leases (name, holder, ends_at) VALUES (?, ?, 0)', [
        'x'.repeat(65),
        '',
      ]);

      await expect(insert).rejects.toMatchObject({ driverError: { code: 'ER_DATA_TOO_LONG' } });
    });
  }

  it('stores every character unchanged', async () => {
    const { id, client } = await running.newUser();
    const userAgent = '🦊 𝒳 é 漢字 \u{10FFFF} \\ \' " %';
    const visitor = { userId: id, ip: '192.0.2.1', userAgent, referrer: '🐘', baseUrl: 'http://test' };
    const push = await running.app.get(CreationsService).create(someNewPush(), visitor);
    const { body } = await client.get(`/api/v2/pushes/${push.url_token}/audit`);

    expect(body.logs).toEqual([expect.objectContaining({ user_agent: userAgent, referrer: '🐘' })]);
  });

  it('rejects a row that refers to a missing row', async () => {
    const row = { id: 'a', userId: 'nobody', name: '', digest: 'b', prefix: '', createdAt: new Date() };
    const error: unknown = await running.dataSource.manager
      .insert(ApiToken, row)
      .catch((reason: unknown) => reason);

    expect([error instanceof Error, isMissingParent(error)]).toEqual([true, true]);
  });

  it.each(['America/St_Johns', 'Pacific/Kiritimati'])(
    'stores times in UTC to the millisecond under TZ=%s',
    async (TZ) => {
      const server = await forThisTest(spawnServer(running.instance, { TZ }));
      const before = Date.now();
      const { url_token, created_at } = await server.anonymous.push({ payload: 'tulip' });
      const after = Date.now();
      const { body } = await server.anonymous.retrieve(url_token);
      const text = TEXT_OF_CREATED_AT[engine.name];
      const sql = `SELECT ${text} AS moment FROM pushes ORDER BY id DESC LIMIT 1`;
      const rows = await queryBeside(running.instance, sql);

      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(created_at)).toBeLessThanOrEqual(after);
      expect(rows).toEqual([{ moment: created_at.replace('T', ' ').replace('Z', '') }]);
      expect(body.created_at).toBe(created_at);
      const read = await running.anonymous.retrieve(url_token);
      expect(read.body.created_at).toBe(created_at);
    },
  );
});

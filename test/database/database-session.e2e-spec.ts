import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { engine } from '../support/engine.js';
import { forAllTests } from '../support/for-tests.js';
import { someNewPush } from '../support/new-pushes.js';
import { connectBeside } from '../support/other-connection.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

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
      const insert = running.dataSource.query('INSERT INTO leases (name, holder, ends_at) VALUES (?, ?, 0)', [
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
    const insert = running.dataSource.query(
      'INSERT INTO api_tokens (id, user_id, name, digest, prefix, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      ['a', 'nobody', '', 'b', '', '2026-01-01 00:00:00'],
    );

    await expect(insert).rejects.toMatchObject({
      driverError: { code: expect.stringMatching(/FOREIGN|NO_REFERENCED/) },
    });
  });

  it.each(['America/St_Johns', 'Pacific/Kiritimati'])(
    'stores times in UTC to the millisecond under TZ=%s',
    async (TZ) => {
      const server = await spawnServer(running.instance, { TZ });
      const before = Date.now();
      const { url_token, created_at } = await server.anonymous.push({ payload: 'tulip' });
      const after = Date.now();
      const { body } = await server.anonymous.retrieve(url_token);
      await server.stop();
      const other = await connectBeside(running.instance);
      const text = engine.url === undefined ? 'created_at' : 'CAST(created_at AS char)';
      const rows = await other.query(`SELECT ${text} AS moment FROM pushes ORDER BY id DESC LIMIT 1`);
      await other.close();

      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(created_at)).toBeLessThanOrEqual(after);
      expect(rows).toEqual([{ moment: created_at.replace('T', ' ').replace('Z', '') }]);
      expect(body.created_at).toBe(created_at);
      const read = await running.anonymous.retrieve(url_token);
      expect(read.body.created_at).toBe(created_at);
    },
  );
});

import { command } from '../support/command.js';
import { engine } from '../support/engine.js';
import { forEachTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { onDatabase } from '../support/server-database.js';
import { run } from '../support/run.js';

describe('A start on PostgreSQL', () => {
  const instance = forEachTest(makeNewInstance);
  const name = () => new URL(instance.env.DATABASE_URL ?? '').pathname.slice(1);
  const onServer = (sql: string) => onDatabase(engine.url ?? '', (server) => server.query(sql));
  const check = () => command(instance, ['settings:check']);

  it.each([
    [
      'synchronous_commit = off',
      /The database server has synchronous_commit = off: a crash of its machine loses what was acknowledged\. Set it to on/,
    ],
    [
      'default_transaction_read_only = on',
      /The database server is read-only .*: until it is not, it refuses writes/,
    ],
  ])('with %s for the database is possible, with a warning', async (setting, warning) => {
    await onServer(`ALTER DATABASE ${name()} SET ${setting}`);
    const { code, stderr } = await check();

    expect([code, stderr]).toEqual([0, expect.stringMatching(warning)]);
  });

  it('says when there are fewer connections than it may open', async () => {
    await onServer(`ALTER DATABASE ${name()} CONNECTION LIMIT 4`);
    const { stderr } = await check();

    expect(stderr).toMatch(
      /has CONNECTION LIMIT of the database = 4, and this service may open 10 connections \(DATABASE_POOL_SIZE 10 × WORKERS 1\)/,
    );
  });

  it.each(['LATIN1', 'SQL_ASCII'])('is refused in a database with the encoding %s', async (encoding) => {
    await onServer(`DROP DATABASE ${name()}`);
    await onServer(
      `CREATE DATABASE ${name()} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
    );

    expect(await run('main.js', instance)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `sealpush: The database has the encoding ${encoding}, which cannot store all texts. Use one that was created with ENCODING 'UTF8'.\n`,
    });
  });

  it.each([
    ['a server that is not there', 'postgresql://postgres@127.0.0.1:1/none', 'ECONNREFUSED'],
    ['a database that is not there', `${engine.url}/sealpush_of_nobody`, '3D000'],
  ])('is refused in one sentence on %s, without the login', async (_what, DATABASE_URL, code) => {
    const { stderr } = await run('main.js', { env: { ...instance.env, DATABASE_URL } });

    expect(stderr).toBe(
      `sealpush: The database at ${DATABASE_URL.replace('postgresql://postgres@', '')} cannot be used (${code}).\n`,
    );
  });

  it('uses the same defaults whatever those of the user are', async () => {
    await onServer(`ALTER DATABASE ${name()} SET DateStyle = 'German'`);
    await onServer(`ALTER DATABASE ${name()} SET TimeZone = 'America/St_Johns'`);
    await onServer(`ALTER DATABASE ${name()} SET bytea_output = 'escape'`);
    await onServer(`ALTER DATABASE ${name()} SET default_transaction_isolation = 'serializable'`);
    await onServer(`ALTER DATABASE ${name()} SET client_encoding = 'LATIN1'`);
    const { startApp } = await import('../support/start-app.js');
    const running = await startApp({}, { instance });
    const before = Date.now();
    const { url_token } = await running.anonymous.push({ payload: 'tülip 🌷', passphrase: 'é' });
    const { body } = await running.anonymous.retrieve(url_token, 'é');
    await running.stop();

    expect(body.payload).toBe('tülip 🌷');
    expect(Date.parse(body.created_at as string)).toBeGreaterThanOrEqual(before);
  });
});

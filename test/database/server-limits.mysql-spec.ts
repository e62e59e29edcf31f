import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IsNull, Not } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { tally } from '../support/audit-kinds.js';
import { command } from '../support/command.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import type { Instance } from '../support/instance.js';
import { makeSqliteInstance } from '../support/instance.js';
import { MysqlServer } from '../support/mysql-server.js';
import { PageClient } from '../support/page-client.js';
import { ask, respond } from '../support/requests.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';

const LIMIT = 1_048_576;
const TOO_LONG = 'x'.repeat(1_040_000) + '\u{1f337}'.repeat(5000);
const REFUSAL = `This is larger than the ${LIMIT} bytes that the database of this server accepts at once. Send less text, or send it as a file.`;

async function instanceOn(server: MysqlServer, database: string): Promise<Instance> {
  await server.query(`CREATE DATABASE ${database}`);
  const made = await makeSqliteInstance();
  return { ...made, env: { ...made.env, DATABASE_URL: `${server.url}/${database}` } };
}

describe('A database server with a low max_allowed_packet', () => {
  // tables and connections as no default of the server makes them
  const server = forAllTests(() =>
    MysqlServer.make(`--max-allowed-packet=${LIMIT}`, '--default-storage-engine=MyISAM', '--autocommit=0'),
  );
  beforeAll(() => server.start());
  const instance = forAllTests(() => instanceOn(server, 'small'));
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true' }, { instance }));

  const push = (payload: string) => running.anonymous.post('/api/v2/pushes', { push: { payload } });

  it('refuses a text that does not fit with one sentence that names the limit, and is not unavailable', async () => {
    const { status, body, headers } = await push(TOO_LONG);

    expect([status, body]).toEqual([413, { error: REFUSAL }]);
    expect(headers.get('retry-after')).toBeNull();
    expect(running.app.get(UnitOfWork).isFailing).toBe(false);
    expect((await running.anonymous.get('/ready')).status).toBe(200);
  });

  it('takes a text that just fits', async () => {
    const payload = 'x'.repeat(LIMIT - 4096);
    const { url_token } = await running.anonymous.push({ payload });

    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe(payload);
  });

  it('refuses only the text that does not fit of those that arrive together', async () => {
    const responses = await allAtOnce(24, (index) => push(index % 6 === 1 ? TOO_LONG : `tulip ${index}`));

    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 20, 413: 4 });
  });

  it('takes texts that fit one by one, however many arrive together', async () => {
    const responses = await allAtOnce(12, () => push('x'.repeat(400_000)));

    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 12 });
  });

  it('keeps nothing of a push that is refused, and no file of it', async () => {
    const { client } = await running.newUser();
    const before = await running.dataSource.manager.count(Push);
    const files = [{ filename: 'tulips.txt', content: Buffer.from('tulips').toString('base64') }];
    const { status } = await client.post('/api/v2/pushes', { push: { payload: TOO_LONG, files } });

    expect(status).toBe(413);
    expect(await running.dataSource.manager.count(Push)).toBe(before);
    expect(
      await running.dataSource.manager.countBy(Push, { filesCount: Not(0), payload: Not(IsNull()) }),
    ).toBe(0);
  });

  it('refuses an answer to a request in the same way', async () => {
    const { client } = await running.newUser();
    const { url_token } = await ask(client);

    expect(await respond(running.anonymous, url_token, TOO_LONG)).toMatchObject({
      status: 413,
      body: { error: REFUSAL },
    });
    expect(await respond(running.anonymous, url_token, 'tulip')).toMatchObject({ status: 201 });
  });

  it('lets the pages show the form again with the reason', async () => {
    const { client } = await running.newUser();
    const { url_token } = await ask(client);
    const pages = new PageClient(running.url);
    for (const [path, fields] of [
      ['/', { 'push[payload]': TOO_LONG, 'push[kind]': 'text' }],
      [`/requests/${url_token}`, { 'push[payload]': TOO_LONG }],
    ] as const) {
      const { status, body } = await pages.post(path, fields);

      expect([path, status]).toEqual([path, 413]);
      expect(body).toContain('this server can store up to 1\u00a0MB of text');
      expect(body).toContain('<textarea');
    }
  });

  it('is a warning at the start and of settings:check, with the number', async () => {
    const warning = `The database server has max_allowed_packet = ${LIMIT}: longer texts are refused. Set it to at least 5242880 on the server`;
    const started = await spawnServer(instance);
    await started.stop();

    expect(started.output()).toContain(warning);
    expect(await run('cli.js', instance, { args: ['settings:check'] })).toMatchObject({
      code: 0,
      stdout: '{"valid":true}\n',
      stderr: expect.stringContaining(`sealpush: ${warning}`),
    });
  });

  it('takes an export whose rows fit, and refuses one with a row that does not in one sentence', async () => {
    const source = await makeSqliteInstance();
    const app = await startApp({}, { instance: source });
    for (let count = 0; count < 12; count += 1) await app.anonymous.push({ payload: 'x'.repeat(300_000) });
    const file = join(source.dataDir, 'export');
    const importInto = async (name: string) => {
      const target = await instanceOn(server, name);
      await target.destroy(); // its data folder: the master key is that of the source
      return command({ env: { ...target.env, ...source.env } }, ['import', file]);
    };
    await command(source, ['export', file]);
    const fits = await importInto('fits');
    await rm(file);
    await app.anonymous.push({ payload: TOO_LONG });
    await app.stop();
    await command(source, ['export', file]);
    const fails = await importInto('fails');
    await source.destroy();

    expect(fits).toMatchObject({ code: 0, stderr: '' });
    expect(fails).toMatchObject({
      code: 1,
      stderr: `sealpush: A row of table pushes is larger than the ${LIMIT} bytes that the database server accepts at once (max_allowed_packet). Raise this on the server, and run the import again.\n`,
    });
  });

  it('gets tables with transactions, and commits each statement, whatever its defaults', async () => {
    const [engines, [row]] = await Promise.all([
      running.dataSource.query(
        `SELECT DISTINCT engine AS name FROM information_schema.tables WHERE table_schema = 'small'`,
      ),
      running.dataSource.query('SELECT @@autocommit AS autocommit'),
    ]);

    expect(engines).toEqual([{ name: 'InnoDB' }]);
    expect(row).toEqual({ autocommit: 1 });
  });
});

describe('A database server with binlog_format = STATEMENT', () => {
  it('is refused at the start and by settings:check, with the reason, before any table is made', async () => {
    const server = await forThisTest(
      MysqlServer.make('--log-bin=binlog', '--binlog-format=STATEMENT', '--server-id=1'),
    );
    await server.start();
    const instance = await forThisTest(instanceOn(server, 'statements'));
    const failure = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^sealpush: The database server has binlog_format = STATEMENT, .*\n$/),
    };

    expect(await run('main.js', instance)).toEqual(failure);
    expect(await run('cli.js', instance, { args: ['settings:check'] })).toEqual(failure);
    expect(await run('cli.js', instance, { args: ['migration:run'] })).toEqual(failure);
  });
});

describe('A database server that is read-only', () => {
  it('is refused at the first start, with the reason', async () => {
    const server = await forThisTest(MysqlServer.make());
    await server.start();
    const instance = await forThisTest(instanceOn(server, 'fixed'));
    await server.query("CREATE USER app@'127.0.0.1'");
    await server.query("GRANT ALL ON fixed.* TO app@'127.0.0.1'");
    await server.query('SET GLOBAL read_only = ON');
    const env = { DATABASE_URL: `${server.url.replace('root', 'app')}/fixed` };

    expect(await run('main.js', instance, { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^sealpush: The database server is read-only \(ER_\w+\), .*\n$/),
    });
    expect(await run('cli.js', instance, { env, args: ['settings:check'] })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('read_only = ON'),
    });
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RetrievalsService } from '../../pushes/retrieve/retrievals.service.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { queryBeside } from '../../../test/support/other-connection.js';
import { makeInstance, makeNewInstance } from '../../../test/support/instance.js';
import { startApp } from '../../../test/support/start-app.js';

describe('The command line', () => {
  const instance = forEachTest(makeInstance);

  const cli = (...args: string[]) => command(instance, args);
  const columns = (sql: string) => queryBeside(instance, sql);
  const statusWith = async (url: string, token: string) =>
    (await new Client(url, { Authorization: `Bearer ${token}` }).get('/api/v2/pushes/active')).status;

  it('user:create prints the email address and a working token in one line, while the server runs', async () => {
    const running = await startApp({}, { instance });
    const { code, stdout, stderr } = await cli('user:create', ' Ada@Example.org ');
    const { email, token, ...rest } = JSON.parse(stdout);
    const status = await statusWith(running.url, token);
    await running.stop();

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect([email, rest]).toEqual(['ada@example.org', {}]);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(status).toBe(200);
    expect(await columns('SELECT password_hash FROM users')).toEqual([{ password_hash: null }]);
  });

  it('user:create rejects an address that is already in use, in any spelling, and names token:create', async () => {
    await cli('user:create', 'ada@example.org');

    expect(await cli('user:create', 'ADA@example.org')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: There is an account with this email address already. ' +
        'The command token:create makes another API token for it.\n',
    });
  });

  it('user:create rejects an invalid address', async () => {
    expect(await cli('user:create', 'ada@')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sealpush: This is not an email address.\n',
    });
  });

  it.each([
    ['ten characters', 'correct ho\n', 0],
    ['128 characters', `${'🦊🐻🐼🐨'.repeat(32)}\r\n`, 0],
    ['nine characters', 'correct h\n', 1],
    ['129 characters', 'x'.repeat(129), 1],
    ['nothing', '', 1],
  ])('user:create --password-stdin checks the length of a password of %s', async (_, input, code) => {
    const args = ['user:create', 'ada@example.org', '--password-stdin'];
    const done = await command(instance, args, { input });

    expect(done.code).toBe(code);
    expect(done.stderr).toBe(code === 0 ? '' : 'sealpush: A password has 10 to 128 characters.\n');
    const hash = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await columns('SELECT password_hash FROM users')).toEqual(
      code === 0 ? [{ password_hash: hash }] : [],
    );
  });

  it('token:create prints another working token, with its name', async () => {
    await cli('user:create', 'ada@example.org');
    const { code, stdout } = await cli('token:create', 'Ada@example.org', '--name', 'ci 🦊');
    const { email, token } = JSON.parse(stdout);
    const running = await startApp({}, { instance });
    const status = await statusWith(running.url, token);
    await running.stop();

    expect([code, email, status]).toEqual([0, 'ada@example.org', 200]);
    const names = await columns('SELECT name FROM api_tokens ORDER BY id');
    expect(names).toEqual([{ name: 'first token' }, { name: 'ci 🦊' }]);
  });

  it.each([
    ['that is too long', '🦊'.repeat(256), 'It must have at most 255 characters.'],
    ['with a line break', 'ci\nfox', 'It must not contain control characters.'],
    ['of spaces', ' ', "It can't be blank."],
  ])('token:create rejects a name %s', async (_what, name, message) => {
    await cli('user:create', 'ada@example.org');
    const { code, stdout, stderr } = await cli('token:create', 'ada@example.org', '--name', name);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(await columns('SELECT name FROM api_tokens')).toEqual([{ name: 'first token' }]);
  });

  it('token:create rejects an unknown account', async () => {
    expect(await cli('token:create', 'ada@example.org')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sealpush: There is no account with this email address.\n',
    });
  });

  it('pushes:purge expires overdue pushes and removes those that can no longer be viewed', async () => {
    const running = await startApp({}, { instance });
    const overdue = await running.anonymous.push({ payload: 'tulip' });
    const spent = await running.anonymous.push({ payload: 'rose', expire_after_views: 1 });
    await running.anonymous.push({ payload: 'lily' });
    const visitor = { ip: '192.0.2.1', userAgent: '', referrer: '', baseUrl: 'http://test' };
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    await running.app.get(RetrievalsService).retrieve(spent.url_token, {}, visitor, longAgo);
    await running.query("UPDATE pushes SET expires_at = '2020-01-01 00:00:00.000' WHERE expires_at = ?", [
      overdue.expires_at.replace('T', ' ').replace('Z', ''),
    ]);
    const purge = await cli('pushes:purge');
    await running.stop();

    expect(purge).toEqual({ code: 0, stdout: '{"expired":1,"removed":2}\n', stderr: '' });
    expect(await columns('SELECT kind FROM pushes')).toHaveLength(1);
  });

  it('migration:run creates the schema, and TypeORM’s own command recognises it', async () => {
    const empty = await forThisTest(makeNewInstance());

    expect(await command(empty, ['migration:run'])).toEqual({
      code: 0,
      stdout: '{"migrated":true}\n',
      stderr: '',
    });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/typeorm/cli.js', '-d', 'ormconfig.ts', 'migration:show'],
      { env: { PATH: process.env.PATH, ...empty.env } },
    );

    expect(stdout).toMatch(/^\[X\] \d* ?Pushes_Initial1767500000000$/m);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['user:remove']],
    ['no email address', ['user:create']],
    ['one argument too many', ['user:create', 'ada@example.org', 'correct horse']],
    ['a password as an argument', ['user:create', 'ada@example.org', '--password', 'correct horse']],
    ['an option without its value', ['token:create', 'ada@example.org', '--name']],
  ])('exits with 2 and does nothing when there is %s', async (_, args) => {
    const { code, stdout, stderr } = await cli(...args);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  it('exits with 0 after printing its usage', async () => {
    const { code, stdout, stderr } = await cli('--help');

    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['user:create', 'token:create', 'pushes:purge', 'migration:run']) {
      expect(stdout).toContain(name);
    }
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CHILD_ENV } from '../support/child-env.js';
import { forEachTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { run } from '../support/run.js';

describe('A server process that cannot start', () => {
  const instance = forEachTest(makeNewInstance);

  it('reports all wrong settings in one line, without their values, as settings:check does (H1, M11)', async () => {
    const env = {
      PORT: '70000',
      ALLOW_ANONYMOUS: 'geheim1',
      DATABASE_URL: 'oracle://root:geheim2@db/x',
      MASTER_KEYS: 'geheim3',
      DISABLE_SIGNUP: 'geheim4',
      BRAND_COLOR: 'white',
      BRAND_LOGO_FILE: '/nope.svg',
      ADMIN_EMAIL: 'geheim5',
      ADMIN_PASSWORD: 'geheim6',
    };
    const failure = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        `^${[
          'sealpush: Wrong settings. DISABLE_SIGNUP: is no setting; did you mean DISABLE_SIGNUPS\\?',
          'PORT: must be a whole number from 0 to 65535',
          'DATABASE_URL: must look like mysql://user:password@host:3306/database or postgresql://user:password@host:5432/database',
          'MASTER_KEYS: must be keys of 32 bytes in base64 or hex, separated by commas',
          'ALLOW_ANONYMOUS: must be true or false',
          'BRAND_LOGO_FILE: its file /nope.svg cannot be read \\(ENOENT\\)',
          'BRAND_COLOR: must be a colour such as #0f766e',
          'ADMIN_EMAIL: must be an email address',
          'ADMIN_PASSWORD: A password has 10 to 128 characters.\n',
        ].join('; ')}$`,
      ),
    };

    expect(await run('main.js', instance, { env })).toEqual(failure);
    expect(await run('cli.js', instance, { env, args: ['settings:check'] })).toEqual(failure);
  });

  it('reports in one line that its port is in use', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as { port: number };
    const { code, stderr } = await run('main.js', instance, { env: { PORT: String(port) } });
    await new Promise((resolve) => squatter.close(resolve));

    expect(stderr).toBe(
      `sealpush: Port ${port} of 127.0.0.1 is in use. Stop what listens there, or set PORT.\n`,
    );
    expect(code).toBe(1);
  });

  it('reports in one line that its host is unknown', async () => {
    const { code, stderr } = await run('main.js', instance, { env: { HOST: 'nobody.invalid' } });

    expect(stderr).toMatch(
      /^sealpush: Cannot listen on nobody\.invalid: no such host \(E[A-Z_]+\)\. Set HOST\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('reports in one line that the database file in DATA_DIR is not a database', async () => {
    const env = { DATA_DIR: instance.dataDir };
    await writeFile(join(instance.dataDir, 'sealpush.sqlite3'), 'tulip '.repeat(1000));

    expect(await run('main.js', { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: `sealpush: The database in DATA_DIR, ${instance.dataDir}/sealpush.sqlite3, cannot be opened (SQLITE_NOTADB).\n`,
    });
  });

  it.each([
    ['mysql://root:geheim@127.0.0.1:1/x', '127.0.0.1:1/x', 'ECONNREFUSED'],
    ['mariadb://root:geheim@nobody.invalid/x', 'nobody.invalid:3306/x', '(ENOTFOUND|EAI_AGAIN)'],
  ])(
    'reports in one line that there is no database at %s, without the password (K4)',
    async (DATABASE_URL, where, code) => {
      const start = await run('main.js', instance, { env: { DATABASE_URL } });

      expect(start).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          `^sealpush: The database at ${where} cannot be used \\(${code}\\)\\.\n$`,
        ),
      });
    },
  );

  it('exits with 0 when it is stopped while it waits for its database', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const env = { ...CHILD_ENV, ...instance.env, DATABASE_URL: `mysql://root@127.0.0.1:${port}/x` };
    const server = spawn(process.execPath, ['dist/main.js'], { env, stdio: 'ignore' });
    const [connection] = (await once(silent, 'connection')) as [Socket];
    server.kill('SIGTERM');
    const exit = await once(server, 'exit');
    connection.destroy();
    silent.close();

    expect(exit).toEqual([0, null]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CHILD_ENV } from '../support/child-env.js';
import { engine } from '../support/engine.js';
import type { Instance } from '../support/instance.js';
import { makeNewInstance } from '../support/instance.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';

describe('The server process', () => {
  let instance: Instance;

  beforeEach(async () => (instance = await makeNewInstance()));
  afterEach(() => instance.destroy());

  it('reports all wrong settings in one line, without their values', async () => {
    const env = {
      PORT: '70000',
      ALLOW_ANONYMOUS: 'geheim1',
      DATABASE_URL: 'postgres://root:geheim2@db/x',
      MASTER_KEYS: 'geheim3',
    };

    expect(await run('main.js', instance, { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: Wrong settings. PORT: must be a whole number from 0 to 65535; ' +
        'DATABASE_URL: must look like mysql://user:password@host:3306/database; ' +
        'MASTER_KEYS: must be keys of 32 bytes in base64 or hex, separated by commas; ' +
        'ALLOW_ANONYMOUS: must be true or false\n',
    });
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

  it('reports in one line that DATA_DIR is not writable', async () => {
    const file = join(instance.dataDir, 'file');
    await writeFile(file, '');
    const under = { ...instance, env: { ...instance.env, DATA_DIR: join(file, 'data') } };

    expect(await run('main.js', under)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        engine.url === undefined
          ? `sealpush: DATA_DIR ${file}/data cannot be created by user ${process.getuid?.()} (ENOTDIR).\n`
          : `sealpush: The master key in ${file}/data/master.key cannot be read: ENOTDIR: not a directory, open '${file}/data/master.key'.\n`,
    });
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

  it('responds soon, writes only lines of JSON, and exits with 0', async () => {
    const startedAt = performance.now();
    const server = await spawnServer(instance);
    const { status, headers } = await server.anonymous.get('/api/v2/version');
    const tookMs = performance.now() - startedAt;
    await server.anonymous.get('/api/v2/pushes/nothing?passphrase=geheim');
    await server.anonymous.get('/nowhere/geheim');
    const { url_token } = await server.anonymous.push({ payload: 'tulip' });
    await server.anonymous.get(`//api/v2/pushes/${url_token}.json`);
    const exit = await server.stop('SIGTERM');

    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(10_000); // `npm run measure:start` measures it on an idle machine
    expect(exit).toBe(0);
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/api/v2/version', 200],
      ['GET', '/api/v2/pushes/:url_token', 404],
      ['GET', 'none', 404],
      ['POST', '/api/v2/pushes', 201],
      ['GET', '/api/v2/pushes/:url_token', 200],
    ]);
    expect(requests[0].requestId).toBe(headers.get('X-Request-Id'));
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(5);
  });

  it('writes nothing to stderr in normal operation', async () => {
    const server = await spawnServer(instance);
    let stderr = '';
    server.process.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await server.anonymous.get('/api/v2/version');
    const exit = await server.stop('SIGINT');

    expect(exit).toBe(0);
    expect(stderr).toBe('');
    expect(server.output()).not.toContain('sealpush:');
  });
});

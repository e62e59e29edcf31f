import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engine } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { forEachTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { run } from '../support/run.js';
import { spawnServer } from '../support/spawn-server.js';

describe('The server process', () => {
  const instance = forEachTest(makeNewInstance);

  it('writes only lines of JSON, none of them to stderr, and exits with 0', async () => {
    const library = `process.on('SIGUSR2', () => console.warn('[Cron] Missed a deadline'))`;
    const server = await spawnServer(instance, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(library)}`,
    });
    let stderr = '';
    server.process.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const { status, headers } = await server.anonymous.get('/api/v2/version');
    await server.anonymous.get('/api/v2/pushes/nothing?passphrase=geheim');
    await server.anonymous.get('/nowhere/geheim');
    const { url_token } = await server.anonymous.push({ payload: 'tulip' });
    await server.anonymous.get(`//api/v2/pushes/${url_token}.json`);
    server.process.kill('SIGUSR2');
    await eventually(() => server.output().includes('Missed a deadline'));
    const exit = await server.stop('SIGTERM');

    expect([status, exit, stderr]).toEqual([200, 0, '']);
    const lines = server.logLines();
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: '[Cron] Missed a deadline' }));
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
});

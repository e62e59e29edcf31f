import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Client } from '../../../test/support/client.js';
import { allAtOnce, outcomes } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { queryBeside } from '../../../test/support/other-connection.js';
import { residentBytes } from '../../../test/support/resident-bytes.js';
import { run } from '../../../test/support/run.js';
import type { SpawnedServer } from '../../../test/support/spawn-server.js';
import { spawnServer } from '../../../test/support/spawn-server.js';

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('WORKERS', () => {
  const instance = forEachTest(makeInstance);
  let server: SpawnedServer;

  const workers = () => childrenOf(server.process.pid ?? 0);
  const start = async (env: Record<string, string> = {}) => {
    server = await forThisTest(spawnServer(instance, { WORKERS: '2', ...env }));
    await eventually(() => server.output().includes('All workers serve'));
  };
  const messages = (): string[] => server.logLines().map(({ msg }) => msg);

  it('are replaced when they die, without failed requests', async () => {
    await start();
    const { url_token } = await server.anonymous.push({ payload: 'tulip', expire_after_views: 100 });
    const [victim, survivor] = workers();
    process.kill(victim ?? 0, 'SIGKILL');
    await eventually(() => !isAlive(victim ?? 0));
    const shown = await allAtOnce(10, () => server.anonymous.retrieve(url_token));
    await eventually(() => workers().length === 2);

    expect(outcomes(shown, 'tulip')).toEqual({ shown: 10 });
    expect(workers()).toContain(survivor);
    expect(messages()).toContain('A worker has exited; starting another');
    expect(messages().filter((message) => message === 'Listening')).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'all exit with 0 on %s, sent twice, even while they start',
    async (signal) => {
      server = await forThisTest(spawnServer(instance, { WORKERS: '2' }));
      await eventually(() => workers().length === 2);
      const pids = workers();
      const exit = once(server.process, 'exit');
      server.process.kill(signal);
      server.process.kill(signal);

      expect(await exit).toEqual([0, null]);
      expect(pids.filter(isAlive)).toEqual([]);
    },
  );

  it('warn once of variables that only begin like settings, without their values (H1, M11)', async () => {
    await start({ OIDC_RESPONSE_TYPE: 'geheim', S3_ACCELERATE: 'geheim' });

    expect(messages().filter((message) => message.startsWith('Ignored'))).toEqual([
      'Ignored, because there are no settings of these names (docs/settings.md): OIDC_RESPONSE_TYPE, S3_ACCELERATE',
    ]);
    expect(server.output()).not.toContain('geheim');
  });

  it('go on after SIGHUP, which also their supervisor gets, and stop in order after that', async () => {
    await start();
    const pids = [server.process.pid ?? 0, ...workers()];
    for (const pid of pids) process.kill(pid, 'SIGHUP');
    const { status } = await server.anonymous.get('/up');

    expect(status).toBe(200);
    expect(pids.filter(isAlive)).toEqual(pids);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(messages()).not.toContain('A worker has exited; starting another');
  });

  it('have a supervisor that has not loaded the service', async () => {
    await start();
    const ofWorkers = workers().map(residentBytes);

    expect(residentBytes(server.process.pid)).toBeLessThan(0.9 * Math.min(...ofWorkers));
  });

  it('exit when the primary process is killed', async () => {
    await start();
    const pids = workers();
    await server.stop('SIGKILL');

    await eventually(() => !pids.some(isAlive));
  });

  it('combine their metrics', async () => {
    await start({ METRICS_PORT: '0' });
    const port = /"port":(\d+)/.exec(server.output())?.[1];
    const prometheus = new Client(`http://127.0.0.1:${port}`);
    const made = await allAtOnce(20, () => server.anonymous.push({ payload: 'tulip' }));

    expect(made).toHaveLength(20);
    await eventually(async () => {
      const { body } = await prometheus.get('/metrics');
      return (body as string).includes('\nsealpush_pushes_created_total{kind="text"} 20\n');
    });
    expect((await prometheus.get('/elsewhere')).status).toBe(404);
  });

  it('say in their metrics what they cannot read, without a value for it', async () => {
    await start({ METRICS_PORT: '0' });
    await queryBeside(instance, 'ALTER TABLE outbox_messages RENAME TO gone');
    const port = /"port":(\d+)/.exec(server.output())?.[1];
    const metrics: string = (await new Client(`http://127.0.0.1:${port}`).get('/metrics')).body;

    expect(metrics).toContain('\nsealpush_collector_success{collector="outbox"} 0\n');
    expect(metrics).toContain('\nsealpush_collector_success{collector="disk"} 1\n');
    expect(metrics).not.toMatch(/^sealpush_outbox_\w+[ {]/m);
    expect(metrics).toMatch(/^sealpush_disk_free_bytes \d+/m);
  });
});

describe('WORKERS that cannot start', () => {
  const instance = forEachTest(makeInstance);

  it('are not started with wrong settings, all of which are reported in one line', async () => {
    const env = { WORKERS: '2', ALLOW_ANONYMOUS: 'geheim1', ADMIN_PASSWORD: 'geheim2' };

    expect(await run('main.js', instance, { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sealpush: Wrong settings. ALLOW_ANONYMOUS: must be true or false; ' +
        'ADMIN_EMAIL: must be set together with ADMIN_PASSWORD or not at all; ' +
        'ADMIN_PASSWORD: A password has 10 to 128 characters.\n',
    });
  });

  it('report a failed start once, in one line, and exit with 1', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as { port: number };
    const occupied = await run('main.js', instance, { env: { WORKERS: '2', PORT: String(port) } });
    const metrics = await run('main.js', instance, { env: { WORKERS: '2', METRICS_PORT: String(port) } });
    const wrong = await run('main.js', instance, { env: { WORKERS: '0' } });
    await new Promise((resolve) => squatter.close(resolve));

    expect(occupied).toMatchObject({ code: 1, stderr: expect.stringMatching(/^sealpush: Port .*\n$/) });
    expect(metrics).toMatchObject({ code: 1, stderr: expect.stringMatching(/^sealpush: Metrics .*\n$/) });
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sealpush: Wrong settings. WORKERS: must be a whole number from 1 to 64\n',
    });
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';
import { sendBytes } from '../support/plain-socket.js';
import { run } from '../support/run.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

const LISTENING = '0A';
const inUse = (port: number) =>
  `sealpush: Port ${port} of 127.0.0.1 is in use. Stop what listens there, or set PORT.\n`;

/** Sockets that listen on a port of 127.0.0.1, as the kernel lists them. */
function listeningSockets(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local === address && state === LISTENING).length;
}

const workersOf = ({ process: { pid } }: SpawnedServer): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

describe('The port of the service', () => {
  const instances = [forEachTest(makeInstance), forEachTest(makeInstance)] as const;
  let port: number;

  const start = (i: 0 | 1, env: Record<string, string> = {}) =>
    forThisTest(spawnServer(instances[i], { PORT: String(port), ...env }));

  beforeEach(async () => (port = await freePort()));

  it('has several sockets, each of which answers, and which close together', async () => {
    const server = await start(0);
    const sockets = listeningSockets(port);
    const request = Buffer.from('GET /up HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answers = await allAtOnce(100, () => sendBytes(server.url, request));
    const code = await server.stop('SIGTERM');

    expect(sockets).toBe(16);
    expect(answers.map(([answer]) => answer?.status)).toEqual(Array(100).fill(200));
    expect(code).toBe(0);
    expect(listeningSockets(port)).toBe(0);
  });

  it.each([
    ['1', '2'],
    ['2', '1'],
    ['2', '2'],
  ])(
    'with WORKERS=%s is refused to a second service with WORKERS=%s, in one line',
    async (WORKERS, others) => {
      await start(0, { WORKERS });
      const env = { PORT: String(port), WORKERS: others };

      expect(await run('main.js', instances[1], { env })).toEqual({
        code: 1,
        stdout: '',
        stderr: inUse(port),
      });
    },
  );

  it.each(['1', '2'])('with WORKERS=%s goes to one of two that start at the same time', async (WORKERS) => {
    const starts = await Promise.allSettled([start(0, { WORKERS }), start(1, { WORKERS })]);
    const refusals = starts.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as Error).message] : [],
    );

    expect(refusals).toEqual([`exit 1: ${inUse(port)}`]);
    await eventually(() => listeningSockets(port) === 16 * Number(WORKERS));
  });

  it('stays refused to others while its workers are replaced', async () => {
    const server = await start(0, { WORKERS: '2' });
    await eventually(() => server.output().includes('All workers serve'));
    server.process.kill('SIGSTOP'); // it starts no other worker in the meantime
    for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL');
    await eventually(() => listeningSockets(port) === 0);
    const other = await run('main.js', instances[1], { env: { PORT: String(port) } });
    server.process.kill('SIGCONT');

    expect(other).toEqual({ code: 1, stdout: '', stderr: inUse(port) });
    await eventually(() => listeningSockets(port) === 32);
  });

  it('answers what has arrived at any of its sockets when it is stopped', async () => {
    const server = await start(0);
    const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    const answers = clients.map(async (client) => ((await once(client, 'data')) as [Buffer])[0].toString());
    for (const client of clients) client.write('GET /up HTTP/1.1\r\nHost: x\r\n\r\n');
    const code = await server.stop('SIGTERM');

    expect((await Promise.all(answers)).map((answer) => answer.slice(0, 15))).toEqual(
      Array(100).fill('HTTP/1.1 200 OK'),
    );
    expect(code).toBe(0);
  });

  it('can be used again while the process before it still answers its last request', async () => {
    const before = await start(0);
    const slow: Socket = connect(port, '127.0.0.1');
    const body = JSON.stringify({ push: { payload: 'tulip' } });
    slow.write(
      `POST /api/v2/pushes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await eventually(() => slow.bytesWritten > 0);
    await before.anonymous.get('/up');
    before.process.kill('SIGTERM');
    await eventually(() => before.output().includes('waiting for open requests'));
    const after = await start(1);
    slow.write(body.slice(5));
    const [answer] = (await once(slow, 'data')) as [Buffer];

    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect((await after.anonymous.get('/up')).status).toBe(200);
  });
});

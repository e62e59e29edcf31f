import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { beginForm } from '../support/begin-form.js';
import { digest, download, linksOf, pushFiles } from '../support/files.js';
import { eventually } from '../support/eventually.js';
import { forEachTest } from '../support/for-tests.js';
import { connectBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import type { SocketResponse } from '../support/plain-socket.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { stalledReader } from '../support/stalled-reader.js';
import { STORES } from '../support/stores.js';
import { amount } from './support/amount.js';
import { halfDoneAt } from './support/incomplete-data.js';
import { isBrokenConnection, Ledger } from './support/ledger.js';
import { randomFrom, SEED } from './support/random.js';

const ENV = { FILES_REQUIRE_AUTHENTICATION: 'false' };
const TIME_LIMIT_MS = 10_000;
const CONTENT = Buffer.alloc(30_000_000, 'tulip'); // more than the socket buffers hold
const HOST = 'Host: push.example.org';

describe(`A server that is asked to stop (HARD_SEED=${SEED})`, () => {
  // before its instance is destroyed
  afterEach(() => server.stop('SIGKILL'));
  const instance = forEachTest(makeInstance);
  let server: SpawnedServer;

  beforeEach(async () => (server = await spawnServer(instance, ENV)));

  it.each(Array.from({ length: amount({ full: 6, short: 2 }) }, (_, round) => [round, 1 + (round % 2)]))(
    'responds to every request it has received under load, and keeps what it acknowledged (round %i, %i workers)',
    async (round, workers) => {
      await server.stop();
      server = await spawnServer(instance, { ...ENV, WORKERS: String(workers) });
      const ledger = new Ledger();
      const callers = { anonymous: server.anonymous, owner: server.anonymous };
      const random = randomFrom(SEED + round);
      const load = Array.from({ length: 12 }, async () => {
        try {
          for (;;) await ledger.act(callers, random);
        } catch (error) {
          if (!isBrokenConnection(error)) throw error;
        }
      });
      const locked = await Promise.all(Array.from({ length: 8 }, () => pushWithPassphrase()));
      await ledger.answersTo(50);
      const asked = await send([
        ...Array.from({ length: 20 }, () => creation({ payload: 'tulip' })),
        ...Array.from({ length: 8 }, () => creation({ payload: 'tulip', passphrase: 'horse' })),
        ...locked.map((urlToken) => [`GET /api/v2/pushes/${urlToken}?passphrase=horse HTTP/1.1`, HOST]),
        ...Array.from({ length: 8 }, () => ['GET /api/v2/version HTTP/1.1', HOST]),
      ]);
      const { code, tookMs } = await ended('SIGTERM');
      await Promise.all(load);

      const answers = await asked.answers;
      expect(answers.map(({ status }) => status)).toEqual([...Array(28).fill(201), ...Array(16).fill(200)]);
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(TIME_LIMIT_MS);
      expect(ledger.faults).toEqual([]);

      server = await spawnServer(instance, ENV);
      await ledger.settle({ anonymous: server.anonymous, owner: server.anonymous });
      const made = answers.slice(0, 20).map(({ body }) => body.url_token);
      const kept = await Promise.all(
        made.map(async (token) => (await server.anonymous.retrieve(token)).body),
      );
      expect(kept.map(({ payload }) => payload)).toEqual(Array(20).fill('tulip'));
      expect(ledger.faults).toEqual([]);
      expect(await halfDoneAt(instance)).toEqual([]);
    },
  );

  it('lets slow clients finish, and closes idle connections immediately', async () => {
    const { url_token } = await pushFiles(server.anonymous, [{ name: 'large', content: CONTENT }]);
    const [url = ''] = await linksOf(server.anonymous, url_token);
    const reader = await stalledReader(url);
    const upload = beginForm(server.anonymous, 'a');
    const [idle, silent] = await Promise.all([idleConnection(), connected()]);
    const gone = Promise.all([once(idle, 'close'), once(silent, 'close')]);

    const end = ended('SIGTERM');
    server.process.kill('SIGTERM'); // a second signal does no harm
    await gone;
    await eventually(() => isRefused());
    expect(server.process.exitCode).toBeNull();
    for (let i = 0; i < 5; i++) {
      upload.sending.write('b');
      await setTimeout(100);
    }
    upload.sending.end('c\r\n--b--\r\n');
    const [answer, content] = await Promise.all([upload.response, buffer(reader)]);
    const { code, tookMs } = await end;

    expect([answer.status, answer.headers.connection]).toEqual([201, 'close']);
    expect(digest(content)).toBe(digest(CONTENT));
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(TIME_LIMIT_MS / 2);
    server = await spawnServer(instance, ENV);
    const [kept = ''] = await linksOf(server.anonymous, JSON.parse(answer.body).url_token);
    expect(String((await download(kept)).bytes)).toBe('abbbbbc');
  });

  describe.each(STORES.slice(0, amount({ full: 2, short: 1 })))('with files on %s', (_name, startStore) => {
    it('waits for no client beyond its time limit, and leaves no traces of aborted uploads', async () => {
      const store = await startStore(instance);
      await server.stop();
      server = await spawnServer(instance, { ...ENV, ...store.env });
      const { url_token } = await pushFiles(server.anonymous, [{ name: 'large', content: CONTENT }]);
      const [url = ''] = await linksOf(server.anonymous, url_token);
      const whole = await store.paths();
      const reader = await stalledReader(url);
      const upload = beginForm(server.anonymous, CONTENT);
      await eventually(async () => (await store.paths()).length > whole.length);

      const { code, tookMs } = await ended('SIGINT');
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(TIME_LIMIT_MS);
      await expect(upload.response).rejects.toThrow();
      reader.destroy();
      expect(await store.paths()).toEqual(whole);
      const other = await connectBeside(instance);
      expect(await other.query('SELECT COUNT(*) AS count FROM files')).toEqual([{ count: 1 }]);
      expect(await other.query('SELECT COUNT(*) AS count FROM pushes')).toEqual([{ count: 1 }]);
      await other.close();
      await store.stop();
    });
  });

  async function ended(signal: NodeJS.Signals): Promise<{ code: number | null; tookMs: number }> {
    const startedAt = performance.now();
    return { code: await server.stop(signal), tookMs: performance.now() - startedAt };
  }

  async function pushWithPassphrase(): Promise<string> {
    return (await server.anonymous.push({ payload: 'tulip', passphrase: 'horse' })).url_token;
  }

  function creation(push: object): string[] {
    const body = JSON.stringify({ push });
    const length = `Content-Length: ${body.length}`;
    return ['POST /api/v2/pushes HTTP/1.1', HOST, 'Content-Type: application/json', length, '', body];
  }

  /** Resolves when every request has been sent, each over its own connection. */
  async function send(requests: string[][]): Promise<{ answers: Promise<SocketResponse[]> }> {
    const sent: Promise<unknown>[] = [];
    const answers = requests.map(async (lines) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      sent.push(promise);
      const bytes = lines.includes('') ? Buffer.from(lines.join('\r\n')) : requestBytes(lines);
      const [answer] = await sendBytes(server.url, bytes, 1, () => {
        resolve(undefined);
      });
      return answer ?? { status: 0, headers: {}, body: 'closed without a response', wasInvited: false };
    });
    await Promise.all(sent);
    return { answers: Promise.all(answers) };
  }

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async function idleConnection(): Promise<Socket> {
    const socket = await connected();
    socket.write(requestBytes(['GET /up HTTP/1.1', HOST]));
    await once(socket, 'data');
    return socket.resume();
  }

  async function isRefused(): Promise<boolean> {
    return fetch(`${server.url}/up`).then(
      () => false,
      (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    );
  }
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tally } from '../support/audit-kinds.js';
import { Client } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { openDatabase } from '../support/open-database.js';
import type { Instance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import type { Cluster } from './support/galera.js';
import { startCluster } from './support/galera.js';
import type { Nginx } from './support/nginx.js';
import { startNginx } from './support/nginx.js';

const VIEWS = 40;
const HOT_PUSHES = 10;
const ENOUGH = 150;

describe('Three processes on two database nodes, behind nginx', () => {
  let folder: string;
  let cluster: Cluster;
  let servers: SpawnedServer[];
  let nginx: Nginx;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealpush-replicas-'));
    stops.push(() => rm(folder, { recursive: true }));
    cluster = await startCluster(folder);
    stops.push(cluster.stop);
    const env = { MASTER_KEYS: randomBytes(32).toString('base64'), TRUSTED_PROXIES: '127.0.0.1' };
    const on = (node: 0 | 1) =>
      spawnServer(
        { env: { DATA_DIR: folder, DATABASE_URL: cluster.urls[node] } } as unknown as Instance,
        env,
      );
    servers = await Promise.all([on(0), on(1), on(0)]); // on an empty database: one of them migrates
    stops.push(() => Promise.all(servers.map((server) => server.stop('SIGKILL'))));
    nginx = await startNginx(
      folder,
      servers.map(({ url }) => url),
    );
    stops.push(nginx.stop);
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  const [first, second] = [0, 1].map((i) => () => (servers[i] as SpawnedServer).anonymous) as [
    () => Client,
    () => Client,
  ];

  it('find a push through one node immediately after it was created through the other', async () => {
    const payload = 'tulip '.repeat(100_000); // takes the other node a moment to write
    const found = await allAtOnce(60, async (i) => {
      const [maker, finder] = i % 2 === 0 ? [first(), second()] : [second(), first()];
      const { url_token } = await maker.push({ payload });
      return (await finder.retrieve(url_token)).status;
    });

    expect(tally(found)).toEqual({ 200: 60 });
  });

  it('have reads that wait for transactions committed on the other node', async () => {
    const database = await openDatabase({ env: { DATABASE_URL: cluster.urls[1] } } as unknown as Instance);
    const answer: unknown = await database.dataSource.query('SELECT @@SESSION.wsrep_sync_wait AS sync');
    await database.close();

    expect(answer).toEqual([{ sync: 1 }]);
  });

  it('show a push exactly as often as its limit, through both nodes concurrently (A1)', async () => {
    const { url_token } = await first().push({ payload: 'tulip', expire_after_views: 7 });
    const answers = await allAtOnce(60, (i) => (i % 2 === 0 ? first() : second()).retrieve(url_token));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 53 });
  });

  it('lose no push and show none too often when a database node and a process are killed under load (A1)', async () => {
    const visitor = new Client(nginx.url);
    const hot: string[] = [];
    for (let i = 0; i < HOT_PUSHES; i++) {
      hot.push((await visitor.push({ payload: 'rose', expire_after_views: VIEWS })).url_token);
    }
    const shown = new Map(hot.map((urlToken) => [urlToken, 0]));
    const retrieve = async (urlToken: string) => {
      const answer = await visitor.retrieve(urlToken);
      if (answer.body.payload === 'rose') shown.set(urlToken, (shown.get(urlToken) ?? 0) + 1);
      return answer.status;
    };
    const made: string[] = [];
    const errors: { madeSoFar: number; what: string }[] = [];
    let isOver = false;
    const attempt = async (work: () => Promise<number>) => {
      const status = await work().catch((error: unknown) => String(error));
      if (status !== 200 && status !== 201) errors.push({ madeSoFar: made.length, what: String(status) });
    };
    const write = async () => {
      while (!isOver) {
        await attempt(async () => {
          const payload = `lily ${made.length}`;
          const { status, body } = await visitor.post('/api/v2/pushes', { push: { payload, note: payload } });
          if (status === 201) made.push(body.url_token);
          return status;
        });
      }
    };
    const read = async (i: number) => {
      for (let n = i; !isOver; n++) await attempt(() => retrieve(hot[n % HOT_PUSHES] ?? ''));
    };
    const atLeast = async (count: number) => {
      const { length } = made;
      while (made.length < length + count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const load = [...Array.from({ length: 4 }, write), ...Array.from({ length: 4 }, (_, i) => read(i))];

    await atLeast(50);
    await Promise.all([cluster.kill(1), servers[0]?.stop('SIGKILL')]);
    await atLeast(ENOUGH);
    isOver = true;
    await Promise.all(load);

    // acknowledged pushes exist, and view limits hold
    const found = await Promise.all(
      made.map(async (urlToken) => (await visitor.retrieve(urlToken)).body.payload),
    );
    expect(found.filter((payload) => !/^lily \d+$/.test(String(payload)))).toEqual([]);
    for (const urlToken of hot) for (let i = 0; i <= VIEWS; i++) await retrieve(urlToken);
    expect([...shown.values()].filter((count) => count > VIEWS)).toEqual([]);
    expect([...shown.values()].filter((count) => count < VIEWS - 20)).toEqual([]); // views used up by lost responses

    const late = errors.filter(({ madeSoFar }) => madeSoFar > made.length - ENOUGH / 2);
    expect(late).toEqual([]);
  });
});

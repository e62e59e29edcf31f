import { setTimeout } from 'node:timers/promises';
import type { ClientResponse, Client } from '../support/client.js';
import type { DatabaseServer } from '../support/database-server.js';
import { makeDatabaseServer } from '../support/database-server.js';
import { eventually } from '../support/eventually.js';
import { formOf, linksOf, pushFiles } from '../support/files.js';
import type { Instance } from '../support/instance.js';
import { makeSqliteInstance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { halfDoneAt } from './support/incomplete-data.js';
import { Ledger } from './support/ledger.js';
import { between, randomFrom, SEED } from './support/random.js';

const CLIENTS = 16;
const PROMPT_MS = 5_000;
/** Ten seconds in the queue for a connection, and ten for a response. */
const TIMEOUT_MS = 25_000;
/** The process exits after 9.5 s; a loaded machine needs more time to end it. */
const STOP_MS = 15_000;

describe(`A server whose database crashes or stops responding under load (HARD_SEED=${SEED})`, () => {
  const database: { server?: DatabaseServer } = {};
  let folder: Instance;
  let instance: Instance;
  let server: SpawnedServer;
  let owner: Client;
  let ledger: Ledger;
  let load: Promise<unknown>;
  const inProgress = new Set<Promise<void>>();
  let isDown = false;
  let isOver = false;

  beforeAll(async () => {
    folder = await makeSqliteInstance();
    database.server = await makeDatabaseServer();
    await own().start();
    await own().query('CREATE DATABASE sealpush');
    instance = { ...folder, env: { DATA_DIR: folder.dataDir, DATABASE_URL: `${own().url}/sealpush` } };
    const { token } = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout);
    server = await spawnServer(instance);
    owner = server.anonymous.with({ Authorization: `Bearer ${token}` });
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await own().destroy();
    await folder.destroy();
  });

  beforeEach(() => {
    ledger = new Ledger(true);
    isOver = false;
    load = Promise.all(Array.from({ length: CLIENTS }, (_, client) => actUntilTheEnd(client)));
  });

  it('responds with 503 while it is down, and continues without data loss when it is back', async () => {
    const requests = await everyKindOfRequest();
    const random = randomFrom(SEED);
    for (let round = 0; round < amount({ full: 20, short: 2 }); round++) {
      await ledger.answersTo(between(random, 20, 200));
      isDown = true;
      await own().kill();
      await expectUnavailable(requests, PROMPT_MS);
      await own().start();
      await expectRecovery();
    }
    await expectNothingLost();
  });

  it('lets no request wait for ever while it does not respond, and continues without data loss', async () => {
    const requests = await everyKindOfRequest();
    const another = await spawnServer(instance);
    await ledger.answersTo(100);
    isDown = true;
    own().pause();
    const earlier = Promise.all(inProgress).then(() => 'answered');
    const asked = another.anonymous.push({ payload: 'tulip' }).catch(() => 'given up');
    await Promise.all([expectUnavailable(requests, TIMEOUT_MS), expectEndInTime(another)]);
    expect(await asked).toBe('given up');
    expect(await Promise.race([earlier, setTimeout(TIMEOUT_MS, 'kept waiting', { ref: false })])).toBe(
      'answered',
    );
    own().resume();
    await expectRecovery();
    await expectNothingLost();
  });

  function own(): DatabaseServer {
    return database.server as DatabaseServer;
  }

  async function actUntilTheEnd(client: number): Promise<void> {
    const random = randomFrom(SEED + client);
    while (!isOver) {
      const act = ledger.act({ anonymous: server.anonymous, owner }, random);
      inProgress.add(act);
      await act;
      inProgress.delete(act);
      if (isDown) await setTimeout(50);
    }
  }

  /** Each needs the database, and gets another status than 503 when the database is available. */
  async function everyKindOfRequest(): Promise<Record<string, () => Promise<ClientResponse>>> {
    const { anonymous } = server;
    const { url_token } = await pushFiles(owner, [{ name: 'a', content: 'tulip' }], { payload: 'rose' });
    const [link = ''] = await linksOf(anonymous, url_token);
    const path = `/api/v2/pushes/${url_token}`;
    const stranger = anonymous.with({ Authorization: 'Bearer nobody' });
    return {
      create: () => anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } }),
      'create with a token': () => owner.post('/api/v2/pushes', { push: { payload: 'tulip' } }),
      'create with a passphrase': () =>
        anonymous.post('/api/v2/pushes', { push: { payload: 'tulip', passphrase: 'horse' } }),
      upload: () => owner.post('/api/v2/pushes', formOf([{ name: 'a', content: 'tulip' }])),
      retrieve: () => anonymous.retrieve(url_token),
      'retrieve an unknown push': () => anonymous.retrieve('a'.repeat(32)),
      preview: () => anonymous.get(`${path}/preview`),
      audit: () => owner.get(`${path}/audit`),
      delete: () => owner.delete(path),
      active: () => owner.get('/api/v2/pushes/active'),
      expired: () => owner.get('/api/v2/pushes/expired'),
      'a token that must be looked up': () => stranger.get('/api/v2/pushes/active'),
      'v1 create': () => anonymous.post('/p.json', { password: { payload: 'tulip' } }),
      'v1 retrieve': () => anonymous.get(`/p/${url_token}.json`),
      download: () => anonymous.get(new URL(link).pathname),
      readiness: freshReadiness,
    };
  }

  /** The last result is cached for a second, so this waits for a new one. */
  async function freshReadiness(): Promise<ClientResponse> {
    let answer = await server.anonymous.get('/ready');
    await eventually(async () => {
      if (answer.status === 200) answer = await server.anonymous.get('/ready');
      return answer.status !== 200;
    });
    return answer;
  }

  async function expectUnavailable(
    requests: Record<string, () => Promise<ClientResponse>>,
    timeout: number,
  ): Promise<void> {
    const answerInTime = async (ask: () => Promise<ClientResponse>) => {
      const answer = await Promise.race([ask(), setTimeout(timeout, undefined, { ref: false })]);
      if (!answer) return `none within ${timeout} ms`;
      const { status, headers, body } = answer;
      return { status, error: typeof body.error, canBeRetried: headers.has('Retry-After') };
    };
    const wanted = { status: 503, error: 'string', canBeRetried: true };
    const names = Object.keys(requests);
    const answers = await Promise.all(Object.values(requests).map(answerInTime));
    expect(Object.fromEntries(answers.map((answer, i) => [names[i], answer]))).toEqual(
      Object.fromEntries(names.map((name) => [name, wanted])),
    );
    expect((await server.anonymous.get(`/p/${'a'.repeat(32)}`)).status).toBe(503);
    expect((await server.anonymous.get('/up')).status).toBe(200);
    expect((await server.anonymous.get('/api/v2/version')).status).toBe(200);
  }

  async function expectEndInTime(another: SpawnedServer): Promise<void> {
    const startedAt = performance.now();
    await another.stop('SIGTERM');

    expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
  }

  async function expectRecovery(): Promise<void> {
    isDown = false;
    await eventually(async () => (await server.anonymous.get('/ready')).status === 200);
    await ledger.answersTo(50);
    expect(ledger.faults).toEqual([]);
  }

  async function expectNothingLost(): Promise<void> {
    isOver = true;
    await load;
    expect(await halfDoneAt(instance)).toEqual([]);
    await ledger.settle({ anonymous: server.anonymous, owner });

    expect(ledger.faults).toEqual([]);
    expect(await halfDoneAt(instance)).toEqual([]);
  }
});

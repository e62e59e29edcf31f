import { setTimeout } from 'node:timers/promises';
import type { Answer, Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { formOf, linksOf, pushFiles } from '../support/files.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { DatabaseServer } from './support/database-server.js';
import { halfDoneAt } from './support/half-done.js';
import { Ledger } from './support/ledger.js';
import { randomFrom, SEED } from './support/random.js';

const CLIENTS = 16;
const PROMPT_MS = 5_000;
/** Ten seconds in line for a connection, and ten for an answer. */
const PATIENCE_MS = 25_000;

describe(`A server whose database dies or falls silent under load (HARD_SEED=${SEED})`, () => {
  const database: { server?: DatabaseServer } = {};
  let folder: Place;
  let place: Place;
  let server: SpawnedServer;
  let owner: Client;
  let ledger: Ledger;
  let load: Promise<unknown>;
  const underway = new Set<Promise<void>>();
  let isAway = false;
  let isOver = false;

  beforeAll(async () => {
    folder = await makePlace();
    database.server = await DatabaseServer.make();
    await own().start();
    await own().run('CREATE DATABASE sealpush');
    place = { ...folder, env: { DATA_DIR: folder.dataDir, DATABASE_URL: `${own().url}/sealpush` } };
    const { token } = JSON.parse((await cli(place, 'user:create', 'owner@example.org')).stdout);
    server = await spawnServer(place);
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

  it('says so while it is dead, and goes on without a loss when it is back', async () => {
    const questions = await everyKindOfQuestion();
    for (let round = 0; round < amount({ full: 8, short: 1 }); round++) {
      await ledger.answersTo(100);
      isAway = true;
      await own().kill();
      await expectUnavailable(questions, PROMPT_MS);
      await own().start();
      await expectRecovery();
    }
    await expectNothingLost();
  });

  it('keeps nobody waiting for ever while it is silent, and goes on without a loss', async () => {
    const questions = await everyKindOfQuestion();
    const another = await spawnServer(place);
    await ledger.answersTo(100);
    isAway = true;
    own().pause();
    const surprised = Promise.all(underway).then(() => 'answered');
    const asked = another.anonymous.push({ payload: 'tulip' }).catch(() => 'given up');
    await Promise.all([expectUnavailable(questions, PATIENCE_MS), expectEndInTime(another)]);
    expect(await asked).toBe('given up');
    expect(await Promise.race([surprised, setTimeout(PATIENCE_MS, 'kept waiting', { ref: false })])).toBe(
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
      underway.add(act);
      await act;
      underway.delete(act);
      if (isAway) await setTimeout(50);
    }
  }

  /** Each needs the database, and would be answered by something else than 503 if it were there. */
  async function everyKindOfQuestion(): Promise<Record<string, () => Promise<Answer>>> {
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
      'retrieve what never was': () => anonymous.retrieve('a'.repeat(32)),
      preview: () => anonymous.get(`${path}/preview`),
      audit: () => owner.get(`${path}/audit`),
      delete: () => owner.delete(path),
      active: () => owner.get('/api/v2/pushes/active'),
      expired: () => owner.get('/api/v2/pushes/expired'),
      'a token that may be good': () => stranger.get('/api/v2/pushes/active'),
      'v1 create': () => anonymous.post('/p.json', { password: { payload: 'tulip' } }),
      'v1 retrieve': () => anonymous.get(`/p/${url_token}.json`),
      download: () => anonymous.get(new URL(link).pathname),
      readiness: freshReadiness,
    };
  }

  /** What was found before the database went away is told for a second more. */
  async function freshReadiness(): Promise<Answer> {
    let answer = await server.anonymous.get('/ready');
    await eventually(async () => {
      if (answer.status === 200) answer = await server.anonymous.get('/ready');
      return answer.status !== 200;
    });
    return answer;
  }

  async function expectUnavailable(
    questions: Record<string, () => Promise<Answer>>,
    patience: number,
  ): Promise<void> {
    const answerInTime = async (ask: () => Promise<Answer>) => {
      const answer = await Promise.race([ask(), setTimeout(patience, undefined, { ref: false })]);
      if (!answer) return `none within ${patience} ms`;
      const { status, headers, body } = answer;
      return { status, error: typeof body.error, canBeRetried: headers.has('Retry-After') };
    };
    const wanted = { status: 503, error: 'string', canBeRetried: true };
    const names = Object.keys(questions);
    const answers = await Promise.all(Object.values(questions).map(answerInTime));
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

    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }

  async function expectRecovery(): Promise<void> {
    isAway = false;
    await eventually(async () => (await server.anonymous.get('/ready')).status === 200);
    await ledger.answersTo(50);
    expect(ledger.faults).toEqual([]);
  }

  async function expectNothingLost(): Promise<void> {
    isOver = true;
    await load;
    expect(await halfDoneAt(place)).toEqual([]);
    await ledger.settle({ anonymous: server.anonymous, owner });

    expect(ledger.faults).toEqual([]);
    expect(await halfDoneAt(place)).toEqual([]);
  }
});

import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import { AnswersService } from './answers.service.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { RequestAnswer } from './request-answer.entity.js';
import { SecretRequestAuditEntry } from './secret-request-audit-entry.entity.js';
import { SecretRequestPassphraseAttempt } from './secret-request-passphrase-throttle.js';
import { SecretRequest } from './secret-request.entity.js';
import { StoredFile } from '../../files/file.entity.js';
import { Push } from '../../pushes/push/push.entity.js';
import { tally } from '../../../test/support/audit-kinds.js';
import { beginForm } from '../../../test/support/begin-form.js';
import type { ClientResponse } from '../../../test/support/client.js';
import { Client } from '../../../test/support/client.js';
import { newApiClient } from '../../../test/support/command.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { encoded, formOf } from '../../../test/support/files.js';
import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { after, someVisitor } from '../../../test/support/new-pushes.js';
import { ask, respond, newAnswer } from '../../../test/support/requests.js';
import { spawnTwo } from '../../../test/support/spawn-server.js';
import type { RunningApp, TestUser } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';
import { startWithStore } from '../../../test/support/start-with-store.js';
import { startDisk, STORES } from '../../../test/support/stores.js';

const ENABLED = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.1' };
const CLOSED = { status: 410, body: { error: 'This request is closed. It takes no more answers.' } };
/** Large enough that a first part of it is sent to S3. */
const MUCH = Buffer.alloc(20_000_000, 'tulip');

const pathOf = (urlToken: string) => `/api/v2/requests/${urlToken}/respond`;
const statusesOf = (answers: ClientResponse[]) => tally(answers.map(({ status }) => status));
/** A client whose address is its own, because one address may send only some bodies at the same time. */
const stranger = (client: Client, i: number) => client.with({ 'X-Forwarded-For': `192.0.2.${i}` });
const file = (content: string) => [{ name: 'a.txt', content }];
const BODIES: [string, (content: string) => object][] = [
  ['texts', (content) => ({ request: { response: content } })],
  ['files in forms', (content) => formOf(file(content), {}, 'request')],
  ['files in JSON', (content) => ({ request: { files: encoded(file(content)) } })],
];

/** How many rows of answers and of what belongs to them an account has. */
async function rowsOf({ dataSource: { manager } }: RunningApp, { id: userId }: TestUser) {
  const pushes = await manager.findBy(Push, { userId });
  const ofPushes = pushes.map(({ id: pushId }) => ({ pushId }));
  if (ofPushes.length === 0) return { pushes: 0, answers: 0, files: 0, entries: 0 };
  return {
    pushes: pushes.length,
    answers: await manager.countBy(RequestAnswer, ofPushes),
    files: await manager.countBy(StoredFile, ofPushes),
    entries: await manager.countBy(AuditEntry, ofPushes),
  };
}

describe.each(STORES)('Answers with files on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start, ENABLED));
  const owner = forEachTest(() => running.newUser());

  afterEach(() => running.app.get(AccountRemovalService).remove(owner)); // with the files

  const stored = async () => (await running.store.paths()).length;
  const isEmpty = async () => (await stored()) === 0;
  const remaining = async (urlToken: string) =>
    (await owner.client.get(`/api/v2/requests/${urlToken}`)).body.answers_remaining;
  /** An answer of which the middle of a file has arrived. */
  const begin = async (urlToken: string) => {
    const begun = beginForm(running.anonymous, MUCH, {}, {}, { path: pathOf(urlToken), key: 'request' });
    await eventually(async () => !(await isEmpty()));
    return begun;
  };

  it.each(BODIES)('are taken once of fifty %s that are sent at once (A1, F4)', async (name, bodyOf) => {
    const { url_token } = await ask(owner.client);
    const answers = await allAtOnce(50, (i) =>
      stranger(running.anonymous, i).post(pathOf(url_token), bodyOf(`tulip ${i}`)),
    );
    const files = name === 'texts' ? 0 : 1;

    expect(statusesOf(answers)).toEqual({ 201: 1, 410: 49 });
    expect(answers.filter(({ status }) => status === 410)).toMatchObject(Array(49).fill(CLOSED));
    expect(await rowsOf(running, owner)).toEqual({ pushes: 1, answers: 1, files, entries: 1 });
    expect(await stored()).toBe(files);
    const { body } = await owner.client.get(`/api/v2/requests/${url_token}/audit`);
    expect(body.logs.map(({ kind }: { kind: string }) => kind)).toEqual(['creation', 'answer']);
  });

  it('are taken as often as was asked for, of sixty that are sent at once (A1)', async () => {
    const { url_token } = await ask(owner.client, { answers: 7 });
    const answers = await allAtOnce(60, (i) =>
      stranger(running.anonymous, i).post(pathOf(url_token), formOf(file(`tulip ${i}`), {}, 'request')),
    );

    expect(statusesOf(answers)).toEqual({ 201: 7, 410: 53 });
    expect(await rowsOf(running, owner)).toEqual({ pushes: 7, answers: 7, files: 7, entries: 7 });
    expect(await stored()).toBe(7);
    expect(
      answers.flatMap(({ status, body }) => (status === 201 ? [body.answers_remaining] : [])).sort(),
    ).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('of which the connection breaks in the middle of a file leave nothing, and do not count (F4)', async () => {
    const { url_token } = await ask(owner.client);
    const { sending, response } = await begin(url_token);
    sending.destroy();

    await expect(response).rejects.toThrow();
    await eventually(isEmpty);
    expect(await rowsOf(running, owner)).toMatchObject({ pushes: 0 });
    expect(await remaining(url_token)).toBe(1);
    expect((await respond(running.anonymous, url_token, 'tulip')).status).toBe(201);
  });

  it('are refused when the request is closed while a file arrives, and leave nothing (F4)', async () => {
    const { url_token } = await ask(owner.client);
    const { sending, response } = await begin(url_token);
    expect((await owner.client.delete(`/api/v2/requests/${url_token}`)).status).toBe(200);
    sending.end('\r\n--b--\r\n');
    const { status, body } = await response;

    expect({ status, body: JSON.parse(body) }).toMatchObject(CLOSED);
    expect(await rowsOf(running, owner)).toMatchObject({ pushes: 0 });
    expect(await isEmpty()).toBe(true);
    expect(await remaining(url_token)).toBe(1);
  });

  it('are refused when the account is deleted while a file arrives, and leave nothing (F4)', async () => {
    const { url_token } = await ask(owner.client, { answers: 2, passphrase: 'sesame' });
    const knowing = running.anonymous.with({ 'X-Push-Passphrase': 'sesame' });
    expect((await respond(knowing, url_token, 'tulip')).status).toBe(201);
    await running.anonymous.with({ 'X-Push-Passphrase': 'wrong' }).get(`/api/v2/requests/${url_token}`);
    const to = { path: pathOf(url_token), key: 'request' };
    const { sending, response } = beginForm(knowing, MUCH, {}, {}, to);
    await eventually(async () => !(await isEmpty()));
    const { manager } = running.dataSource;
    const tables = [SecretRequest, RequestAnswer, SecretRequestAuditEntry, SecretRequestPassphraseAttempt];
    const rows = () => Promise.all(tables.map((table) => manager.countBy(table, {})));
    expect(await rows()).toEqual([1, 1, 3, 1]);
    await running.app.get(AccountRemovalService).remove(owner);
    sending.end('\r\n--b--\r\n');

    expect((await response).status).toBe(404);
    expect(await isEmpty()).toBe(true);
    expect(await rowsOf(running, owner)).toMatchObject({ pushes: 0 });
    expect(await rows()).toEqual([0, 0, 0, 0]);
  });
});

describe('Limits of what answers bring', () => {
  const limits = { MAX_REQUEST_SIZE: '1000', UPLOAD_BYTES_PER_DAY: '1500', MAX_OPEN_REQUESTS: '5' };
  const running = forAllTests(() => startWithStore(startDisk, { ...ENABLED, ...limits }));
  const owner = forEachTest(() => running.newUser());

  afterEach(() => running.app.get(AccountRemovalService).remove(owner));

  const send = (urlToken: string, length: number, client = running.anonymous) =>
    client.post(pathOf(urlToken), formOf(file('x'.repeat(length)), {}, 'request'));
  const stored = async () => (await running.store.paths()).length;

  it('are exact for the files of all answers that are sent at once (L16)', async () => {
    const { url_token } = await ask(owner.client, { answers: 20 });
    const answers = await allAtOnce(12, (i) =>
      running.anonymous.post(
        pathOf(url_token),
        (BODIES[1 + (i % 2)] as (typeof BODIES)[0])[1]('x'.repeat(300)),
      ),
    );

    expect(statusesOf(answers)).toEqual({ 201: 3, 422: 9 });
    expect(answers.find(({ status }) => status === 422)?.body).toEqual({
      files: ['must have at most 1000 bytes in all answers to this request'],
    });
    expect(await rowsOf(running, owner)).toEqual({ pushes: 3, answers: 3, files: 3, entries: 3 });
    expect(await stored()).toBe(3);
    expect((await send(url_token, 101)).status).toBe(422);
    expect((await send(url_token, 100)).status).toBe(201);
  });

  it('are those of the account that asks, which its own pushes use up as well (L16)', async () => {
    const [first, second] = [
      await ask(owner.client, { answers: 9 }),
      await ask(owner.client, { answers: 9 }),
    ];
    const other = await running.newUser();
    expect((await send(first.url_token, 900)).status).toBe(201);
    const refused = await send(second.url_token, 601, other.client);

    expect([refused.status, refused.body]).toEqual([
      429,
      { error: 'This account may send 1500 bytes of files a day (UTC). Try again tomorrow.' },
    ]);
    expect(await stored()).toBe(1);
    expect((await send(second.url_token, 600, other.client)).status).toBe(201);
    expect((await owner.client.post('/api/v2/pushes', formOf(file('x')))).status).toBe(429);
    expect((await other.client.post('/api/v2/pushes', formOf(file('x'.repeat(1500))))).status).toBe(201);
    expect((await respond(running.anonymous, second.url_token, 'only text')).status).toBe(201);
    await running.app.get(AccountRemovalService).remove(other);
  });

  it('of the account are exact for answers that are sent at once (L16)', async () => {
    // so many that no request reaches its own limit
    const tokens = await allAtOnce(4, async () => (await ask(owner.client, { answers: 9 })).url_token);
    const answers = await allAtOnce(12, (i) => send(tokens[i % 4] ?? '', 300));

    expect(statusesOf(answers)).toEqual({ 201: 5, 429: 7 });
    expect(await rowsOf(running, owner)).toMatchObject({ pushes: 5, files: 5 });
    expect(await stored()).toBe(5);
  });

  it('are no error of the server when the account is deleted before they are counted', async () => {
    const { url_token } = await ask(owner.client);
    const to = { path: pathOf(url_token), key: 'request' };
    const { sending, response } = beginForm(running.anonymous, 'x'.repeat(200), {}, {}, to);
    await eventually(async () => (await stored()) > 0);
    await running.app.get(AccountRemovalService).remove(owner);
    sending.end('\r\n--b--\r\n');

    expect((await response).status).toBe(404);
    expect(await stored()).toBe(0);
  });
});

describe('The time limit of a request', () => {
  const running = forAllTests(() => startApp(ENABLED));
  const owner = forEachTest(() => running.newUser());

  it('closes it at exactly that moment, although no job has run (A5)', async () => {
    const { url_token, close_after_at } = await ask(owner.client, { answers: 3, close_after_duration: 0 });
    const requests = running.app.get(OpenSecretRequestsService);
    const answers = running.app.get(AnswersService);
    const closesAt = new Date(close_after_at);
    const before = after(closesAt, -1);
    const visitor = someVisitor();
    const { signal } = new AbortController();
    const tulip = newAnswer(running.app);
    const found = await requests.find(url_token, {}, visitor, before);

    expect(await requests.show(url_token, undefined, visitor, signal, before)).toMatchObject({
      state: 'open',
    });
    expect(await answers.answer(found, tulip, visitor, { now: before })).toEqual({
      state: 'open',
      answers_remaining: 2,
    });
    expect(await requests.show(url_token, undefined, visitor, signal, closesAt)).toEqual({
      url_token,
      state: 'closed',
    });
    await expect(requests.find(url_token, {}, visitor, closesAt)).rejects.toMatchObject({
      status: 410,
    });
    // found in time, and written too late
    await expect(answers.answer(found, tulip, visitor, { now: closesAt })).rejects.toMatchObject({
      status: 410,
    });
    expect(await rowsOf(running, owner)).toMatchObject({ pushes: 1 });
    expect(
      await requests.show(url_token, undefined, someVisitor({ userId: owner.id }), signal, closesAt),
    ).toMatchObject({
      state: 'closed',
      answers_remaining: 2,
    });
  });
});

describe('ANSWERS_PER_MINUTE', () => {
  const running = forEachTest(() => startApp({ ...ENABLED, ANSWERS_PER_MINUTE: String(LIMIT) }));
  const owner = forEachTest(() => running.newUser());

  const LIMIT = 3;

  const from = (ip: string) => running.anonymous.with({ 'X-Forwarded-For': ip });
  const statusesFrom = async (urlToken: string, ips: string[]) => {
    const statuses: number[] = [];
    for (const ip of ips) statuses.push((await respond(from(ip), urlToken, 'tulip')).status);
    return statuses;
  };

  it('makes an address wait, and counts what is refused (I1)', async () => {
    const { url_token } = await ask(owner.client);
    expect(await statusesFrom(url_token, Array(LIMIT).fill('192.0.2.1'))).toEqual([201, 410, 410]);
    const refused = await respond(from('192.0.2.1'), url_token, 'tulip');

    expect(refused).toMatchObject({
      status: 429,
      body: { error: expect.stringMatching(/^Too many/) },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await respond(from('192.0.2.1'), 'unknown'.repeat(3), 'tulip')).status).toBe(429);
    expect((await from('192.0.2.1').get(`/api/v2/requests/${url_token}`)).status).toBe(200);
    expect((await respond(from('192.0.2.2'), url_token, 'tulip')).status).toBe(410);
  });

  it('counts an IPv6 site together, and a /48 with ten times the limit (B2, L11)', async () => {
    const { url_token } = await ask(owner.client, { answers: 100 });
    const site = Array.from({ length: LIMIT + 1 }, (_, i) => `2001:db8:1:1::${i + 1}`);
    const sites = Array.from({ length: 10 * LIMIT }, (_, i) => `2001:db8:1:${i + 2}::1`);

    expect(tally(await statusesFrom(url_token, site))).toEqual({ 201: LIMIT, 429: 1 });
    expect(tally(await statusesFrom(url_token, sites))).toEqual({ 201: 9 * LIMIT, 429: LIMIT });
    expect(await statusesFrom(url_token, ['2001:db8:2:1::1'])).toEqual([201]);
  });

  it('is counted before anything of the body is read', async () => {
    const { url_token } = await ask(owner.client, { answers: 9 });
    await statusesFrom(url_token, Array(LIMIT).fill('192.0.2.1'));
    const to = { path: pathOf(url_token), key: 'request' };
    const { response, sending } = beginForm(from('192.0.2.1'), 'never finished', {}, {}, to);

    expect((await response).status).toBe(429);
    sending.destroy();
  });
});

describe('Two server processes on one database', () => {
  const instance = forAllTests(makeInstance);
  const servers = forAllTests(() => spawnTwo(instance, ENABLED));
  const owner = forAllTests(() => newApiClient(servers.of(0), instance));

  it.each([
    [1, 50],
    [7, 60],
  ])(
    'take %d of %d answers that are sent at once, and leave nothing of the others (A1, F4)',
    async (max, sent) => {
      const store = await startDisk(instance);
      const before = (await store.paths()).length;
      const { url_token } = await ask(owner, { answers: max });
      const answers = await allAtOnce(sent, (i) =>
        stranger(servers.of(i).anonymous, i).post(
          pathOf(url_token),
          formOf(file(`tulip ${i}`), {}, 'request'),
        ),
      );
      const { body } = await owner.get(`/api/v2/requests/${url_token}`);

      expect(statusesOf(answers)).toEqual({ 201: max, 410: sent - max });
      expect(body).toMatchObject({ state: 'closed', answers_remaining: 0 });
      expect(body.answer_url_tokens).toHaveLength(max);
      expect((await store.paths()).length - before).toBe(max);
      const listed = (await owner.get('/api/v2/pushes/active')).body.map(
        (push: Push & { url_token: string }) => push.url_token,
      );
      for (const token of body.answer_url_tokens) expect(listed).toContain(token);
    },
  );
});

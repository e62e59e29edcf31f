import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { PushKeyRotation } from '../../src/pushes/key-rotation/push-key-rotation.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { OpenCodesService } from '../../src/pushes/recipients/open-codes.service.js';
import { digestOf } from '../../src/platform/random/random.js';
import type { Client } from '../support/client.js';
import { command } from '../support/command.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { queryBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { recordSteps } from '../support/recorded-steps.js';
import { ask, respond } from '../support/requests.js';
import { run } from '../support/run.js';
import { startApp } from '../support/start-app.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';
import { bytesInSql } from '../support/server-database.js';

const key = () => randomBytes(32).toString('base64');

describe('keys:rotate', () => {
  const [oldKey, newKey] = [key(), key()];
  const bothKeys = { MASTER_KEYS: `${newKey},${oldKey}` };
  const instance = forEachTest(makeInstance);

  afterEach(() => jest.restoreAllMocks());

  const start = (env: Record<string, string>) => forThisTest(startApp(env, { instance }));

  const rotate = () => command(instance, ['keys:rotate'], { env: bothKeys });
  const query = (sql: string) => queryBeside(instance, sql);
  const lastLine = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

  /** Pushes that are sealed with the old key. */
  async function pushMany(count: number): Promise<string[]> {
    const running = await startApp({ MASTER_KEYS: oldKey }, { instance });
    const pushes = running.app.get(CreationsService);
    const made = await allAtOnce(count, (i) =>
      pushes.create(someNewPush({ payload: `tulip ${i}` }), someVisitor()),
    );
    await running.stop();
    return made.map(({ url_token }) => url_token);
  }

  async function payloads(client: Client, urlTokens: string[]): Promise<string[]> {
    const answers = await Promise.all(urlTokens.map((urlToken) => client.retrieve(urlToken)));
    return answers.map(({ body }) => body.payload);
  }

  it('makes the old key unnecessary for everything: secrets, passphrases, names and ended pushes (J2)', async () => {
    const running = await startApp({ MASTER_KEYS: oldKey }, { instance });
    const { client, token } = await running.newUser();
    const plain = await client.push({ payload: 'tulip', name: 'spring' });
    const locked = await client.push({ payload: 'rose', passphrase: 'horse' });
    const ended = await client.push({ payload: 'lily', note: 'for Ada' });
    await client.delete(`/api/v2/pushes/${ended.url_token}`);
    await running.stop();
    const [{ id: oldId }] = await query('SELECT id FROM master_keys');
    const { code, stdout, stderr } = await rotate();
    const keys = await query('SELECT id FROM master_keys');
    const server = await start({ MASTER_KEYS: newKey });
    const owner = server.anonymous.with({ Authorization: `Bearer ${token}` });

    expect([code, stderr]).toEqual([0, '']);
    expect(lastLine(stdout)).toEqual({ rewrapped: 3, broken: 0, retired: [oldId], needed: [] });
    expect(keys).toHaveLength(1);
    expect(keys[0].id).not.toBe(oldId);
    expect((await owner.retrieve(plain.url_token)).body.payload).toBe('tulip');
    expect((await owner.retrieve(locked.url_token, 'cow')).status).toBe(401);
    expect((await owner.retrieve(locked.url_token, 'horse')).body.payload).toBe('rose');
    expect((await owner.get('/api/v2/pushes/expired')).body).toMatchObject([
      { note: 'for Ada', deleted: true },
    ]);
    expect((await owner.get('/api/v2/pushes/active')).body).toMatchObject([{}, { name: 'spring' }]);
    expect(await query('SELECT data_key FROM pushes WHERE deleted')).toEqual([{ data_key: null }]);
  });

  it('makes the old key unnecessary for recipients, and for codes on their way (J2)', async () => {
    const email = 'ada@example.org';
    const mail = {
      MAIL_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@example.org',
      PUBLIC_URL: 'https://a.example',
    };
    const running = await startApp({ ...mail, MASTER_KEYS: oldKey }, { instance });
    const { client, token } = await running.newUser();
    const named = { payload: 'tulip', recipients: [email], passphrase: 'horse' };
    const [first, second] = [await client.push(named), await running.anonymous.push(named)];
    const codes: string[] = [];
    for (const { url_token } of [first, second]) {
      const { id } = await running.dataSource.manager.findOneByOrFail(Push, {
        tokenDigest: digestOf(url_token as string),
      });
      const now = new Date();
      codes.push((await running.app.get(OpenCodesService).create(id, { email, askedAt: now }, now)) ?? '');
    }
    await running.stop();
    const { stdout } = await rotate();
    const server = await start({ ...mail, MASTER_KEYS: newKey });
    const owner = server.anonymous.with({ Authorization: `Bearer ${token}` });
    const open = (urlToken: string, code = '') =>
      server.anonymous.with({ 'X-Push-Recipient': email, 'X-Push-Code': code }).retrieve(urlToken, 'horse');

    expect(lastLine(stdout)).toMatchObject({ rewrapped: 2, broken: 0, needed: [] });
    expect((await open(first.url_token, codes[0])).body.payload).toBe('tulip');
    expect((await open(second.url_token, codes[1])).body.payload).toBe('tulip');
    expect((await owner.get('/api/v2/pushes/active')).body).toMatchObject([{ recipients: [email] }]);
    expect((await owner.get(`/api/v2/pushes/${first.url_token}/audit`)).body.logs[1].recipient).toBe(email);
  });

  it('makes the old key unnecessary for requests, and for answers to them (J2)', async () => {
    const enabled = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' };
    const running = await startApp({ ...enabled, MASTER_KEYS: oldKey }, { instance });
    const { client, token } = await running.newUser();
    const open = await ask(client, { name: 'spring', passphrase: 'horse', answers: 2 });
    const closed = await ask(client, { note: 'for Ada' });
    await client.delete(`/api/v2/requests/${closed.url_token}`);
    await respond(running.anonymous.with({ 'X-Push-Passphrase': 'horse' }), open.url_token, 'tulip');
    await running.stop();
    const { code, stderr, stdout } = await rotate();
    const server = await start({ ...enabled, MASTER_KEYS: newKey });
    const owner = server.anonymous.with({ Authorization: `Bearer ${token}` });
    const { body } = await owner.get(`/api/v2/requests/${open.url_token}`);

    expect([code, stderr]).toEqual([0, '']);
    expect(lastLine(stdout)).toMatchObject({ rewrapped: 1, broken: 0, needed: [] });
    expect(body).toMatchObject({ request: open.request, name: 'spring', answers_remaining: 1 });
    expect((await owner.retrieve(body.answer_url_tokens[0])).body.payload).toBe('tulip');
    expect((await owner.get('/api/v2/requests/closed')).body).toMatchObject([{ note: 'for Ada' }]);
    const knowing = (passphrase: string) => server.anonymous.with({ 'X-Push-Passphrase': passphrase });
    for (const [passphrase, status] of [
      ['cow', 401],
      ['horse', 201],
    ] as const)
      expect((await respond(knowing(passphrase), open.url_token, 'rose')).status).toBe(status);
  });

  it('counts requests that were tampered with as broken, and keeps the old key (J2)', async () => {
    const running = await startApp({ ENABLE_REQUESTS_API: 'true', MASTER_KEYS: oldKey }, { instance });
    const { client } = await running.newUser();
    for (let i = 0; i < 2; i++) await ask(client);
    await running.stop();
    const [{ id: oldId }] = await query('SELECT id FROM master_keys');
    const [{ id }] = await query('SELECT id FROM requests ORDER BY id LIMIT 1');
    await query(`UPDATE requests SET sealed = ${bytesInSql('00')} WHERE id = '${id}'`);
    const { code, stdout } = await rotate();

    expect(code).toBe(1);
    expect(lastLine(stdout)).toEqual({ rewrapped: 0, broken: 1, retired: [], needed: [oldId] });
    expect(await query(`SELECT id FROM requests WHERE master_key_id = '${oldId}'`)).toEqual([{ id }]);
  });

  it('does nothing when it is run again', async () => {
    await pushMany(3);
    await rotate();

    expect(await rotate()).toEqual({
      code: 0,
      stdout: '{"rewrapped":0,"broken":0,"retired":[],"needed":[]}\n',
      stderr: '',
    });
  });

  it('leaves the database to others after each hundred pushes', async () => {
    await pushMany(250);
    const [{ id: masterKeyId }] = await query('SELECT id FROM master_keys');
    const server = await start(bothKeys);
    const { app, dataSource } = server;
    const steps = recordSteps(server, () => dataSource.manager.countBy(Push, { masterKeyId }));
    await app.get(PushKeyRotation).rotate();

    expect(steps).toEqual([100, 'pause', 100, 'pause', 50, 'pause', 0]);
  });

  it('continues after it was killed, while clients retrieve pushes (J2)', async () => {
    const urlTokens = await pushMany(600);
    const before = await start(bothKeys);
    const killed = spawn(process.execPath, ['dist/cli.js', 'keys:rotate'], {
      env: { PATH: process.env.PATH, ...instance.env, ...bothKeys },
    });
    killed.stdout.once('data', () => killed.kill('SIGKILL'));
    await once(killed, 'exit');
    const halfWay = await query('SELECT master_key_id, COUNT(*) AS count FROM pushes GROUP BY master_key_id');
    const [{ code, stdout }, shown] = await Promise.all([rotate(), payloads(before.anonymous, urlTokens)]);
    await before.stop();
    const server = await start({ MASTER_KEYS: newKey });

    expect(halfWay).toHaveLength(2);
    expect(code).toBe(0);
    const { rewrapped, needed } = lastLine(stdout);
    expect(needed).toEqual([]);
    expect(rewrapped).toBeGreaterThan(0);
    expect(rewrapped).toBeLessThan(600);
    expect(shown).toEqual(urlTokens.map((_, i) => `tulip ${i}`));
    expect(await payloads(server.anonymous, urlTokens)).toEqual(shown);
  });

  it('does not change rows that were tampered with, reports them, and keeps the old key (J2)', async () => {
    const [broken = ''] = await pushMany(3);
    const [{ id: oldId }] = await query('SELECT id FROM master_keys');
    const [{ id }] = await query('SELECT id FROM pushes ORDER BY id LIMIT 1');
    await query(`UPDATE pushes SET owner_key = ${bytesInSql('00')} WHERE id = '${id}'`);
    const { code, stdout } = await rotate();

    expect(broken).not.toBe('');
    expect(code).toBe(1);
    expect(lastLine(stdout)).toEqual({ rewrapped: 2, broken: 1, retired: [], needed: [oldId] });
    expect(await run('main.js', instance, { env: { MASTER_KEYS: newKey } })).toMatchObject({ code: 1 });
  });

  it('leaves download links valid that the old key sealed, while it is configured', async () => {
    const running = await startApp({ MASTER_KEYS: oldKey }, { instance });
    const { client } = await running.newUser();
    const files = [{ filename: 'a.txt', content: Buffer.from('tulip').toString('base64') }];
    const { url_token } = await client.push({ files, expire_after_views: 1 });
    const { body } = await client.retrieve(url_token);
    await running.stop();
    await rotate();
    const before = await start(bothKeys);
    const path = new URL(body.files[0].url).pathname;

    expect(await before.anonymous.get(path)).toMatchObject({ status: 200, body: 'tulip' });
    await before.stop();
    const server = await start({ MASTER_KEYS: newKey });
    expect((await server.anonymous.get(path)).status).toBe(403);
  });

  it('prevents other processes from sealing with a removed key', async () => {
    await pushMany(1);
    const server = await start({ MASTER_KEYS: oldKey });
    const { client: owner } = await server.newUser();
    await rotate();
    const callers = [server.anonymous, owner];
    const answers = await Promise.all(
      callers.map((caller) => caller.post('/api/v2/pushes', { push: { payload: 'tulip' } })),
    );

    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(await query('SELECT COUNT(*) AS count FROM pushes')).toMatchObject([{ count: 1 }]);
  });
});

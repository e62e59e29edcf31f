import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../platform/outbox/outbox-sender.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import { MAX_PER_OWNER } from './webhooks.service.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../../../test/support/hook-receiver.js';
import { makeInstance } from '../../../test/support/instance.js';
import { newSignedInUser, PASSWORD } from '../../../test/support/page-client.js';
import { makeAuthenticationsOld } from '../../../test/support/authenticator-app.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const SECRET = /value="(whsec_[^"]+)"/;

describe('The page of webhooks', () => {
  const receiver = forAllTests(startHookReceiver);
  const running = forAllTests(() => startApp(LOOPBACK_ALLOWED));
  const member = forEachTest(() => newSignedInUser(running));

  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.writeHead(204).end();
  });

  const page = async (path = '/users/webhooks') => (await member.pageClient.get(path)).body;
  const add = (fields: Record<string, string> = {}, path = '/users/webhooks') =>
    member.pageClient.post(path, { url: receiver.url, 'push.created': 'on', ...fields });
  const addedId = async (path?: string) =>
    /webhooks\/([0-9a-f-]{36})\/secret/.exec(await page(path))?.[1] ?? '';
  const formId = async () => /name="id" value="([^"]+)"/.exec(await page())?.[1] ?? '';
  const count = async () => {
    const rows = await running.dataSource.query('SELECT user_id FROM webhooks');
    return (rows as { user_id: string | null }[]).filter(({ user_id }) => user_id === member.id).length;
  };

  it('adds a webhook, and shows its secret once', async () => {
    const { status, body } = await add();
    const secret = SECRET.exec(body)?.[1] ?? '';
    await member.pageClient.post('/', { 'push[payload]': 'tulip', 'push[kind]': 'text' });
    await eventually(() => receiver.received.length === 1);

    expect(status).toBe(201);
    expect(receiver.verified(secret)).toMatchObject([{ type: 'push.created' }]);
    const shown = await page();
    expect(shown).not.toContain('whsec_');
    expect(shown).toContain(receiver.url);
    expect(shown).toContain('push.created');
  });

  it('adds one webhook when its form is sent twice', async () => {
    const id = await formId();
    await add({ id });
    const { status, body } = await add({ id });

    expect([status, SECRET.test(body)]).toEqual([200, false]);
    expect(await count()).toBe(1);
  });

  it.each([
    [{ url: '' }, 'Fill this in'],
    [{ url: 'https://user:pass@example.org/' }, 'Leave out the user name and password before the host.'],
    [{ url: 'https://10.0.0.1/' }, 'This address is not public.'],
    [{ url: 'ftp://example.org/' }, 'Enter a complete address that starts with https://.'],
  ])('refuses %j next to its field', async (fields, message) => {
    const { status, body } = await add(fields);

    expect(status).toBe(422);
    if (fields.url !== '') expect(body).toContain(message);
    expect(body).toContain('id="url-error"');
    if (fields.url !== '') expect(body).toContain(`value="${fields.url}"`);
    expect(await count()).toBe(0);
  });

  it('refuses a webhook without events', async () => {
    const { status, body } = await member.pageClient.post('/users/webhooks', { url: receiver.url });

    expect([status, body.includes('Choose at least one event.')]).toEqual([422, true]);
  });

  it(`adds no more than ${MAX_PER_OWNER}, even at the same time`, async () => {
    const answers = await allAtOnce(12, () => add());

    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(MAX_PER_OWNER).fill(201),
      ...Array<number>(12 - MAX_PER_OWNER).fill(422),
    ]);
    expect(await count()).toBe(MAX_PER_OWNER);
  });

  it('sends a test, and shows the latest messages with their outcome', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await add();
    const id = await addedId();
    const { headers } = await member.pageClient.post(`/users/webhooks/${id}/test`);
    await eventually(async () => (await page()).includes('HTTP 500'));

    expect(headers.get('location')).toBe('/users/webhooks?done=test');
    expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { type: 'test', data: {} },
    ]);
    expect(await page()).toMatch(/Next attempt on/);
  });

  it('replaces the secret once when the form is sent twice', async () => {
    const first = SECRET.exec((await add()).body)?.[1];
    const id = await addedId();
    const from = /name="from" value="([^"]+)"/.exec(await page())?.[1] ?? '';
    const { status, body } = await member.pageClient.post(`/users/webhooks/${id}/secret`, { from });
    const again = await member.pageClient.post(`/users/webhooks/${id}/secret`, { from });

    expect([status, again.status]).toEqual([201, 200]);
    expect(SECRET.exec(body)?.[1]).not.toBe(first);
    expect(again.body).not.toMatch(SECRET);
    expect(await page()).toContain('requests are also signed with the previous secret');
  });

  it('does nothing to the webhooks of others', async () => {
    await add();
    const id = await addedId();
    const other = await newSignedInUser(running);
    const statuses: number[] = [];
    for (const act of ['secret', 'test', 'enable', 'delete'])
      statuses.push((await other.pageClient.post(`/users/webhooks/${id}/${act}`)).status);

    expect(statuses).toEqual([404, 404, 404, 303]);
    expect(await count()).toBe(1);
    expect((await other.pageClient.get('/users/webhooks')).body).not.toContain(receiver.url);
    await member.pageClient.post(`/users/webhooks/${id}/delete`);
    expect(await count()).toBe(0);
  });

  it('of the instance is for administrators after reauthentication only', async () => {
    await addWebhook(running, null, receiver.url);
    const refused = (await member.pageClient.get('/admin/webhooks')).status;
    const notAdded = (await add({ password: PASSWORD }, '/admin/webhooks')).status;
    await running.app.get(AdministratorsService).promote(member);
    const id = await addedId('/admin/webhooks');
    await makeAuthenticationsOld(running, member);
    const wrong = await member.pageClient.post(`/admin/webhooks/${id}/delete`, { password: 'wrong' });
    const statuses = [(await add({ password: 'wrong' }, '/admin/webhooks')).status];
    statuses.push((await add({ password: PASSWORD }, '/admin/webhooks')).status);
    for (const act of ['test', 'delete'])
      statuses.push(
        (await member.pageClient.post(`/admin/webhooks/${id}/${act}`, { password: PASSWORD })).status,
      );

    expect([refused, notAdded, wrong.status]).toEqual([404, 404, 422]);
    expect(wrong.body).toContain(`id="delete-${id}-password-error"`);
    expect(statuses).toEqual([422, 201, 303, 303]);
    expect(await page('/admin/webhooks')).not.toContain(id);
    await member.pageClient.post(`/admin/webhooks/${await addedId('/admin/webhooks')}/delete`, {
      password: PASSWORD,
    });
  });

  it('leaves failed messages for the overview of administrators, without what they contain', async () => {
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await add({ url: `${receiver.url}?token=marker` });
    await member.pageClient.post('/', { 'push[payload]': 'tulip', 'push[kind]': 'text' });
    const messages = running.dataSource.getRepository(OutboxMessage);
    await eventually(() => messages.existsBy({ userId: member.id, outcome: 'failed' }));
    await running.app.get(AdministratorsService).promote(member);
    const overview = await page('/admin');

    expect(overview).toContain('webhook: push.created');
    expect(overview).toContain('HTTP 410');
    expect(overview).not.toContain('marker');
    expect(await page()).toContain('nothing is sent to it');
  });
});

describe('With ENABLE_WEBHOOKS=false', () => {
  const instance = forEachTest(makeInstance);
  const receiver = forEachTest(startHookReceiver);
  let running: RunningApp;

  const start = async (env: Record<string, string>) =>
    (running = await forThisTest(startApp({ ...LOOPBACK_ALLOWED, ...env }, { instance })));
  const messages = () => running.dataSource.manager.find(OutboxMessage);

  it('no page offers webhooks, and no request reaches them', async () => {
    await start({ ENABLE_WEBHOOKS: 'false' });
    const member = await newSignedInUser(running);
    await running.app.get(AdministratorsService).promote(member);
    const paths = ['/users/webhooks', '/admin/webhooks'];
    const responses = await Promise.all(
      paths.flatMap((path) => [
        member.pageClient.get(path),
        member.pageClient.post(path, { url: 'https://example.org/', 'push.created': 'on' }),
        member.pageClient.post(`${path}/1/test`),
      ]),
    );

    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(404));
    for (const path of ['/users/token', '/admin', '/admin/accounts'])
      expect((await member.pageClient.get(path)).body).not.toContain('/webhooks"');
  });

  it('nothing is sent to existing webhooks, and a message that waits is sent when they are enabled', async () => {
    await start({});
    const { client, id } = await running.newUser();
    receiver.answer = (_request, response) => response.writeHead(503).end();
    await addWebhook(running, id, receiver.url);
    await client.push({ payload: 'tulip' });
    await eventually(() => receiver.received.length === 1);

    await running.stop();
    await start({ ENABLE_WEBHOOKS: 'false' });
    receiver.answer = (_request, response) => response.writeHead(204).end();
    await client.at(running.url).push({ payload: 'rose' });
    await running.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + HOUR_MS));
    expect(await messages()).toMatchObject([{ outcome: null, error: 'NO_CHANNEL' }]);
    expect(receiver.received).toHaveLength(1);

    await running.stop();
    await start({});
    await running.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + 2 * HOUR_MS));
    expect(await messages()).toMatchObject([{ outcome: 'delivered' }]);
    expect(receiver.received).toHaveLength(2);
  });
});

import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import { CreationsService } from '../../pushes/create/creations.service.js';
import { ExpiryService } from '../../pushes/expiry/expiry.service.js';
import { digestOf } from '../../platform/random/random.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../platform/outbox/outbox-sender.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { Webhook } from './webhook.entity.js';
import { SubscriptionsService } from './webhook-events.js';
import { tally } from '../../../test/support/audit-kinds.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../../../test/support/hook-receiver.js';
import { after, someNewPush, someVisitor } from '../../../test/support/new-pushes.js';
import { ask, respond } from '../../../test/support/requests.js';
import { logStatements } from '../../../test/support/recorded-statements.js';
import { startApp } from '../../../test/support/start-app.js';

describe('A webhook', () => {
  const receiver = forEachTest(startHookReceiver);
  const running = forAllTests(() =>
    startApp({ ...LOOPBACK_ALLOWED, ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' }),
  );
  const owner = forEachTest(() => running.newUser());
  let secret: string;

  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(OutboxMessage);
    await running.dataSource.manager.deleteAll(Webhook);
    await running.app.get(SubscriptionsService).refreshAccount(null);
    secret = await addWebhook(running, owner.id, receiver.url);
  });

  const rows = () => running.dataSource.getRepository(OutboxMessage).find({ order: { id: 'ASC' } });
  /** All messages, when none waits any more. */
  const received = async (ofSecret = secret) => {
    await eventually(async () => (await rows()).every(({ outcome }) => outcome !== null));
    return receiver.verified(ofSecret);
  };
  const types = async () => tally((await received()).map(({ type }) => type));

  it('is told of a push from its creation to its last view, signed', async () => {
    const push = await owner.client.push({ payload: 'tulip', name: 'Bed 7', expire_after_views: 2 });
    await running.anonymous.retrieve(push.url_token);
    await running.anonymous.retrieve(push.url_token);
    await running.anonymous.retrieve(push.url_token);

    const data = {
      token_digest: digestOf(push.url_token),
      kind: 'text',
      created_at: push.created_at,
      expires_at: expect.any(String),
      name: 'Bed 7',
    };
    const hooks = (await received()).sort((a, b) => order(a) - order(b));
    expect(hooks.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'push.created', data: { ...data, views_remaining: 2, expired: false } },
      { type: 'push.retrieved', data: { ...data, views_remaining: 1, expired: false, by_owner: false } },
      { type: 'push.retrieved', data: { ...data, views_remaining: 0, expired: true, by_owner: false } },
      { type: 'push.expired', data: { ...data, views_remaining: 0, expired: true, ended_by: 'views' } },
    ]);
    for (const { body } of receiver.received)
      expect(body).not.toMatch(new RegExp(`tulip|${push.url_token}|${owner.email}|127\\.0\\.0\\.1`));
  });

  it('is told of wrong passphrases, and of a delete once', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', passphrase: 'horse' });
    await running.anonymous.retrieve(url_token, 'cow');
    await running.anonymous.retrieve(url_token);
    await allAtOnce(5, () => owner.client.delete(`/api/v2/pushes/${url_token}`));

    expect(await types()).toEqual({ 'push.created': 1, 'push.failed_passphrase': 1, 'push.deleted': 1 });
    expect((await received()).find(({ type }) => type === 'push.deleted')?.data).toMatchObject({
      ended_by: 'delete',
      expired: true,
    });
  });

  it('is told of each of the last views exactly once when many try', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 3 });
    await allAtOnce(20, () => running.anonymous.retrieve(url_token));

    expect(await types()).toEqual({ 'push.created': 1, 'push.retrieved': 3, 'push.expired': 1 });
  });

  it('is told once of an end by time, whoever records it', async () => {
    const visitor = someVisitor({ userId: owner.id });
    const now = new Date();
    const create = () =>
      running.app.get(CreationsService).create(someNewPush({ expireAfterDays: 1 }), visitor, now);
    for (let count = 0; count < 3; count++) await create();
    const expiry = running.app.get(ExpiryService);
    const later = after(now, 2 * DAY_MS);
    await Promise.all([expiry.expireOverdue(later), expiry.expireOverdue(later)]);
    await eventually(async () => {
      await running.app.get(OutboxSender).sendDue(undefined, () => later);
      return receiver.received.length === 6;
    });

    expect(await types()).toEqual({ 'push.created': 3, 'push.expired': 3 });
    expect((await received()).find(({ type }) => type === 'push.expired')).toMatchObject({
      timestamp: after(now, DAY_MS).toISOString(),
      data: { ended_by: 'days', expired: true },
    });
  });

  it('is told of each answer to a request, and of the push that it is', async () => {
    const asked = await ask(owner.client, { name: 'Bed 7', answers: 2 });
    const answers = await allAtOnce(5, () => respond(running.anonymous, asked.url_token, 'tulip'));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 2, 410: 3 });
    expect(await types()).toEqual({ 'push.created': 2, 'request.answered': 2 });

    const { answer_url_tokens: tokens } = (await owner.client.get(`/api/v2/requests/${asked.url_token}`))
      .body;
    const answered = (await received()).filter(({ type }) => type === 'request.answered');
    expect(answered.map(({ data }) => data.answers_remaining).sort()).toEqual([0, 1]);
    expect(answered.map(({ data }) => data.token_digest).sort()).toEqual(tokens.map(digestOf).sort());
    for (const { data } of answered)
      expect(data).toEqual({
        token_digest: expect.any(String),
        kind: 'text',
        created_at: expect.any(String),
        expires_at: expect.any(String),
        views_remaining: 5,
        expired: false,
        request_digest: digestOf(asked.url_token),
        answers_remaining: expect.any(Number),
        name: 'Bed 7',
      });
    for (const { body } of receiver.received)
      expect(body).not.toMatch(new RegExp(['tulip', asked.url_token, asked.request, ...tokens].join('|')));
  });

  it('is told only of the events that were chosen, and not of the pushes of others', async () => {
    const other = await running.newUser();
    const otherSecret = await addWebhook(running, other.id, receiver.url, ['push.retrieved']);
    const { url_token } = await other.client.push({ payload: 'tulip' });
    await running.anonymous.push({ payload: 'tulip' });
    await running.anonymous.retrieve(url_token);

    expect((await received(otherSecret)).map(({ type }) => type)).toEqual(['push.retrieved']);
  });

  it('of the instance is told of all pushes, without names', async () => {
    const instanceSecret = await addWebhook(running, null, receiver.url, ['push.created']);
    const other = await running.newUser();
    await other.client.push({ payload: 'tulip', name: 'Bed 7' });
    await running.anonymous.push({ payload: 'tulip' });

    const hooks = await received(instanceSecret);
    expect(hooks.map(({ data }) => Object.keys(data))).toEqual(
      Array(2).fill(['token_digest', 'kind', 'created_at', 'expires_at', 'views_remaining', 'expired']),
    );
    expect(receiver.received.map(({ body }) => body).join()).not.toMatch(new RegExp(`Bed 7|${other.id}`));
  });

  it('costs no statement for accounts without one', async () => {
    const { client } = await running.newUser();
    const statements: string[] = [];
    const stop = await logStatements(running.app, (sql) => statements.push(sql));
    const { url_token } = await client.push({ payload: 'tulip', expire_after_views: 1, passphrase: 'horse' });
    await running.anonymous.retrieve(url_token, 'cow');
    await running.anonymous.retrieve(url_token, 'horse');
    stop();

    expect(statements.join('\n')).toContain('audit_entries');
    expect(statements.filter((sql) => /outbox|webhook/.test(sql))).toEqual([]);
  });

  it('ends with its account, and so do its messages', async () => {
    receiver.answer = (_request, response) => response.writeHead(503).end();
    await owner.client.push({ payload: 'tulip' });
    await eventually(() => receiver.received.length > 0);
    await running.app.get(AccountRemovalService).remove(owner);

    expect(await rows()).toEqual([]);
    expect(await running.dataSource.query('SELECT id FROM webhooks')).toEqual([]);
    await running.app.get(OutboxSender).sendDue(undefined, () => after(new Date(), DAY_MS / 2));
    expect(receiver.received).toHaveLength(1);
  });

  it('leaves no secret in the database', async () => {
    await addWebhook(running, null, `${receiver.url}?token=marker-of-url`);
    const { url_token } = await owner.client.push({ payload: 'marker-of-payload', name: 'marker-of-name' });
    const waiting = await rows();
    await eventually(async () => (await rows()).every(({ outcome }) => outcome !== null));

    for (const table of ['webhooks', 'outbox_messages']) {
      const stored = JSON.stringify(
        await running.dataSource.query(`SELECT * FROM ${table}`),
        (_key, value) => (isBuffer(value) ? Buffer.from(value.data).toString('latin1') : (value as unknown)),
      );
      expect(stored).not.toMatch(/marker-of|127\.0\.0\.1/);
      for (const hidden of [secret.slice(6), url_token, digestOf(url_token)])
        expect(stored).not.toContain(hidden);
    }
    expect(waiting.map(({ sealed }) => sealed?.toString('latin1')).join()).not.toContain(digestOf(url_token));
  });

  // Those with another app are last: only the latest one may use tokens.
  it('is known to another process after that has looked', async () => {
    const other = await forThisTest(startApp(LOOPBACK_ALLOWED, { instance: running.instance }));
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const late = await addWebhook(running, owner.id, receiver.url.replace('/hook', '/late'), [
      'push.retrieved',
    ]);
    await other.anonymous.retrieve(url_token);
    await other.app.get(SubscriptionsService).refresh();
    await other.anonymous.retrieve(url_token);
    await eventually(() => receiver.received.some(({ path }) => path === '/late'));
    await eventually(async () => (await rows()).every(({ outcome }) => outcome !== null));

    expect(late).toMatch(/^whsec_/);
    expect(receiver.received.filter(({ path }) => path === '/late')).toHaveLength(1);
  });

  it('is told nothing of what is rolled back', async () => {
    const other = await forThisTest(startApp(LOOPBACK_ALLOWED));
    const { id, client } = await other.newUser();
    await addWebhook(other, id, receiver.url);
    await other.dataSource.query('DROP TABLE entered_addresses'); // which refers to the next
    await other.dataSource.query('DROP TABLE audit_entries');
    const { status } = await client.post('/api/v2/pushes', { push: { payload: 'tulip' } });

    expect(status).toBe(500);
    expect(await other.dataSource.manager.find(OutboxMessage)).toEqual([]);
  });
});

const ORDER = ['push.created', 'push.retrieved', 'push.expired'];

/** Messages may arrive in another order than that of their events. */
function order({ type, data }: { type: string; data: Record<string, unknown> }): number {
  return 10 * ORDER.indexOf(type) - Number(data.views_remaining);
}

function isBuffer(value: unknown): value is { data: number[] } {
  return (value as { type?: unknown } | null)?.type === 'Buffer';
}

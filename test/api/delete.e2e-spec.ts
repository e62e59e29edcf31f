import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { auditKinds } from '../support/audit-kinds.js';
import type { Client } from '../support/client.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

describe('Deleting a push', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  const end = (client: Client, token: string) => client.delete(`/api/v2/pushes/${token}`);

  it('ends it immediately for its owner, without its passphrase', async () => {
    const created = await owner.client.push({ payload: 'tulip', passphrase: 'horse', name: 'a', note: 'b' });
    const { status, body } = await end(owner.client, created.url_token);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...created,
      name: undefined, // the key is absent
      note: undefined,
      expired: true,
      deleted: true,
      expired_on: body.updated_at,
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      passphrase_required: false,
    });
    expect(Date.parse(body.expired_on)).toBeGreaterThanOrEqual(Date.parse(created.created_at));
    expect((await running.anonymous.retrieve(created.url_token, 'horse')).body).toEqual({
      ...body,
      payload: null,
      files: [],
    });
    expect(await auditKinds(owner.client, created.url_token)).toEqual(['creation', 'expire', 'failed_view']);
  });

  it('changes neither the days nor the views that are left', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      expire_after_days: 9,
      expire_after_views: 4,
    });
    await running.anonymous.retrieve(url_token);

    expect((await end(owner.client, url_token)).body).toMatchObject({
      days_remaining: 9,
      views_remaining: 3,
    });
  });

  it.each([
    ['text', 'tulip'],
    ['url', 'https://example.org/'],
    ['qr', 'tulip'],
  ])('is possible for every kind: %s', async (kind, payload) => {
    const { url_token } = await owner.client.push({ kind, payload });

    expect(await end(owner.client, url_token)).toMatchObject({ status: 200, body: { kind, deleted: true } });
  });

  it('is allowed for anyone when it is deletable by viewers', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true, name: 'a' });
    const { status, body } = await end(running.anonymous, url_token);

    expect([status, body.expired, body.deleted]).toEqual([200, true, true]);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['name']));
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'expire']);
  });

  it('is otherwise rejected for others: 401 without a token and 403 with one (C3)', async () => {
    const other = await running.newUser();
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const without = await end(running.anonymous, url_token);
    const another = await end(other.client, url_token);

    expect([without.status, without.body]).toEqual([401, { error: expect.any(String) }]);
    expect(without.headers.get('www-authenticate')).toBe('Bearer');
    expect([another.status, another.body]).toEqual([403, { error: expect.any(String) }]);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view']);
  });

  it('is rejected for everyone when the push has no owner (C1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });

    expect((await end(running.anonymous, url_token)).status).toBe(401);
    expect((await end(owner.client, url_token)).status).toBe(403);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
  });

  it('responds with 404 for an unknown push, with or without a token, but with 401 for a wrong token', async () => {
    const unknown = 'A'.repeat(43);

    expect(await end(running.anonymous, unknown)).toMatchObject({
      status: 404,
      body: { error: 'not-found' },
    });
    expect((await end(owner.client, unknown)).status).toBe(404);
    expect((await end(running.anonymous.with({ Authorization: 'Bearer wrong' }), unknown)).status).toBe(401);
  });

  it('changes nothing the second time', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
    const first = await end(owner.client, url_token);
    const again = [await end(owner.client, url_token), await end(running.anonymous, url_token)];

    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [200, first.body],
      [200, first.body],
    ]);
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'expire']);
  });

  it('keeps the end time of a push that its views have ended', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    await running.anonymous.retrieve(url_token);
    const { body } = await running.anonymous.retrieve(url_token);
    const ended = { ...body, payload: undefined, files: undefined };

    expect((await end(owner.client, url_token)).body).toEqual({ ...ended, deleted: true });
    expect((await end(owner.client, url_token)).body).toEqual({ ...ended, deleted: true });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'failed_view', 'expire']);
  });

  it('keeps the end time of a push that its time limit has ended', async () => {
    const visitor = someVisitor({ userId: owner.id, baseUrl: running.url });
    const created = after(new Date(), -8 * DAY_MS);
    const { url_token, expires_at } = await running.app
      .get(CreationsService)
      .create(someNewPush(), visitor, created);

    expect((await end(owner.client, url_token)).body).toMatchObject({
      expired: true,
      deleted: true,
      expired_on: expires_at,
      updated_at: expires_at,
      days_remaining: 0,
      views_remaining: 5,
    });
    expect((await owner.client.get('/api/v2/pushes/expired')).body[0]).toMatchObject({
      url_token,
      deleted: true,
      expired_on: expires_at,
    });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'expire']);
  });
});

import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { auditKinds } from '../support/audit-kinds.js';
import { encoded } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { after } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const ONLY_EARLIER = 'must be in the future, not later than expires_at is now, and later than opens_at';

describe('PATCH /api/v2/pushes/:url_token', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  const make = (fields = {}) => owner.client.push({ payload: 'tulip', ...fields });
  const fromNow = (ms: number) => after(new Date(), ms).toISOString();
  const edits = async (urlToken: string) =>
    (await auditKinds(owner.client, urlToken)).filter((kind) => kind === 'edit').length;

  it('allows fewer views, which ends it with the last of them', async () => {
    const push = await make({ name: 'spring', expire_after_views: 5 });
    await running.anonymous.retrieve(push.url_token);

    const { status, body } = await owner.client.change(push.url_token, { expire_after_views: 2 });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...push,
      expire_after_views: 2,
      views_remaining: 1,
      updated_at: expect.any(String),
    });
    expect((await running.anonymous.retrieve(push.url_token)).body).toMatchObject({ payload: 'tulip' });
    expect((await running.anonymous.retrieve(push.url_token)).body).toMatchObject({ payload: null });
    expect(await auditKinds(owner.client, push.url_token)).toEqual([
      ...['creation', 'view', 'edit', 'view', 'failed_view'],
    ]);
  });

  it('ends it earlier: by a time, by days or by a duration from its creation, of which the earliest counts', async () => {
    const push = await make({ expire_after_days: 30 });
    const created = new Date(push.created_at as string);
    const time = after(created, 5.25 * DAY_MS).toISOString();
    const change = async (fields: object) => (await owner.client.change(push.url_token, fields)).body;

    expect(await change({ expire_after_days: 20 })).toMatchObject({
      expires_at: after(created, 20 * DAY_MS).toISOString(),
      expire_after_days: 20,
    });
    expect(await change({ expire_after_duration: 13 })).toMatchObject({
      expires_at: after(created, 14 * DAY_MS).toISOString(),
      expire_after_days: 14,
    });
    expect(await change({ expires_at: time, expire_after_days: '7' })).toMatchObject({
      expires_at: time,
      expire_after_days: 6,
      days_remaining: 6,
    });
    expect(await change({ expire_after_duration: 2 })).toMatchObject({
      expires_at: after(created, 0.75 * HOUR_MS).toISOString(),
      expire_after_days: 1,
    });
    expect(await edits(push.url_token)).toBe(4);
  });

  it('changes and records nothing when the limits are so already', async () => {
    const push = await make({ expire_after_views: 5 });
    const { expires_at } = push;
    for (const fields of [
      { expire_after_views: 5 },
      { expires_at },
      { expire_after_days: 7 },
      { expire_after_views: 5, expires_at, expire_after_duration: 12 },
      { expire_after_views: null, passphrase: null, unknown: 1 },
    ])
      expect(await owner.client.change(push.url_token, fields)).toMatchObject({ status: 200, body: push });

    expect(await edits(push.url_token)).toBe(0);
  });

  it.each([6, 1, 0, -1, 2.5, 1e9, 'many', 'NaN', true, [3], { a: 1 }])(
    'cannot allow %j views of five, of which one is counted (A3, A4)',
    async (expire_after_views) => {
      const { url_token } = await make({ expire_after_views: 5 });
      await running.anonymous.retrieve(url_token);

      const { status, body } = await owner.client.change(url_token, { expire_after_views });

      expect([status, body]).toEqual([
        422,
        {
          expire_after_views: [
            'must be a whole number from 2 to 5: not more than now, and more than are counted',
          ],
        },
      ]);
      expect(await edits(url_token)).toBe(0);
    },
  );

  it('cannot give more time, or a time that has passed (A3, A4)', async () => {
    const { url_token, expires_at } = await make();
    const later = after(new Date(expires_at as string), 1).toISOString();
    const refusals: [object, object][] = [
      [{ expires_at: later }, { expires_at: [ONLY_EARLIER] }],
      [{ expires_at: fromNow(-1) }, { expires_at: [ONLY_EARLIER] }],
      [
        { expires_at: 'soon' },
        { expires_at: ['must be a time with its zone, such as 2027-01-31T09:00:00Z'] },
      ],
      [{ expires_at: 4102444800000 }, { expires_at: [expect.stringMatching(/^must be a time/)] }],
      [{ expire_after_days: 8 }, { expire_after_days: ['must be a whole number from 1 to 7'] }],
      [{ expire_after_days: 0 }, { expire_after_days: ['must be a whole number from 1 to 7'] }],
      [{ expire_after_days: 1e9 }, { expire_after_days: ['must be a whole number from 1 to 7'] }],
      [{ expire_after_duration: 13 }, { expire_after_duration: [ONLY_EARLIER] }],
      [{ expire_after_duration: 18 }, { expire_after_duration: ['must be a whole number from 0 to 17'] }],
      [{ expire_after_duration: 1.5 }, { expire_after_duration: ['must be a whole number from 0 to 17'] }],
    ];
    for (const [fields, body] of refusals) {
      const refused = await owner.client.change(url_token, { expire_after_views: 1, ...fields });
      expect([fields, refused.status, refused.body]).toEqual([fields, 422, body]);
    }

    expect((await owner.client.get('/api/v2/pushes/active')).body[0]).toMatchObject({
      ...{ url_token, expires_at, expire_after_views: 5 },
    });
  });

  it('cannot end it earlier than it opens', async () => {
    const { url_token } = await make({ opens_at: fromNow(2 * DAY_MS) });

    const refused = await owner.client.change(url_token, { expires_at: fromNow(DAY_MS) });

    expect([refused.status, refused.body]).toEqual([422, { expires_at: [ONLY_EARLIER] }]);
    expect((await owner.client.change(url_token, { expires_at: fromNow(3 * DAY_MS) })).status).toBe(200);
  });

  it('does not give back what the first view has taken (A4)', async () => {
    const push = await make({ expire_after_first_view: 1 });
    const { expires_at } = (await running.anonymous.retrieve(push.url_token)).body;

    for (const fields of [{ expires_at: push.expires_at }, { expire_after_days: 7 }])
      expect((await owner.client.change(push.url_token, fields)).status).toBe(422);
    expect((await owner.client.get('/api/v2/pushes/active')).body[0]).toMatchObject({ expires_at });
  });

  it('changes nothing else, and nothing at all then (C6, C11)', async () => {
    const { url_token } = await make({ passphrase: 'horse' });
    const others = {
      payload: 'rose',
      files: encoded([{ name: 'a.txt', content: 'rose' }]),
      kind: 'text',
      expire_after_first_view: 1,
      opens_at: fromNow(HOUR_MS),
      allowed_networks: ['192.0.2.1'],
      deletable_by_viewer: true,
      retrieval_step: false,
      client_encrypted: false,
      passphrase: '',
      name: 'spring',
      note: 'for Ada',
      notify_emails_to: ['ada@example.org'],
      notify_emails_to_locale: 'de',
      notify_on: ['first_view'],
    };

    const { status, body } = await owner.client.change(url_token, { expire_after_views: 1, ...others });

    expect(status).toBe(422);
    expect(body).toEqual(
      Object.fromEntries(Object.keys(others).map((name) => [name, ['cannot be changed']])),
    );
    const unknown = {
      user_id: 'x',
      views_counted: 0,
      expired: false,
      url_token: 'x',
      version: 9,
      toString: 1,
    };
    expect((await owner.client.change(url_token, unknown)).status).toBe(200);
    expect((await running.anonymous.retrieve(url_token, 'horse')).body).toMatchObject({
      ...{ payload: 'tulip', expire_after_views: 5, retrieval_step: false },
    });
    expect(await edits(url_token)).toBe(0);
  });

  it('is for its owner alone, and for active pushes (C1)', async () => {
    const { url_token } = await make({ deletable_by_viewer: true });
    const { url_token: anonymous } = await running.anonymous.push({ payload: 'tulip' });
    const { url_token: ended } = await make();
    await owner.client.delete(`/api/v2/pushes/${ended}`);
    const other = await running.newUser();
    const change = { expire_after_views: 1 };
    const notFound = { status: 404, body: { error: 'not-found' } };

    expect((await running.anonymous.change(url_token, change)).status).toBe(401);
    expect((await running.anonymous.change(anonymous, change)).status).toBe(401);
    expect(await other.client.change(url_token, change)).toMatchObject(notFound);
    for (const token of [anonymous, ended, 'unknown', '__proto__'])
      expect(await owner.client.change(token, change)).toMatchObject(notFound);
    expect((await running.anonymous.retrieve(url_token)).body.expire_after_views).toBe(5);
  });

  it('needs an object with fields, as JSON or as a form', async () => {
    const { url_token } = await make();
    const path = `/api/v2/pushes/${url_token}`;
    const form = new URLSearchParams({ 'push[expire_after_views]': '3' });

    for (const body of ['{}', '[]', '{"push": []}', '{"push": {}}', '{"push": null}', '{"push"'])
      expect(
        (await owner.client.send('PATCH', path, body, { 'Content-Type': 'application/json' })).status,
      ).toBe(400);
    expect((await owner.client.send('PATCH', path, form)).body).toMatchObject({ expire_after_views: 3 });
    expect((await owner.client.change(url_token, { payload: 'x'.repeat(1_000_000) })).status).toBe(413);
  });
});

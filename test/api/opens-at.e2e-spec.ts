import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const CREATED = new Date('2026-01-01T10:20:30.456Z');

describe('A push that opens later', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());
  const inAnHour = () => after(new Date(), HOUR_MS).toISOString();

  const create = (opens_at: unknown, terms = {}) =>
    owner.client.post('/api/v2/pushes', { push: { payload: 'tulip', opens_at, ...terms } });

  it('is refused until then with the time, also to its owner, in both versions of the API', async () => {
    const opens_at = inAnHour();
    const push = await owner.client.push({ payload: 'tulip', opens_at, expire_after_views: 1 });
    const paths = [
      `/api/v2/pushes/${push.url_token}`,
      `/p/${push.url_token}.json`,
      `/r/${push.url_token}.json`,
    ];

    expect(push).toMatchObject({ opens_at, expired: false });
    for (const client of [running.anonymous, owner.client]) {
      for (const path of paths) {
        const { status, body, headers } = await client.get(path);
        expect([status, body]).toEqual([403, { error: `This secret can be opened from ${opens_at} on.` }]);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(3590);
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
      }
    }
    expect((await owner.client.get('/api/v2/pushes/active')).body[0]).toMatchObject({
      url_token: push.url_token,
      opens_at,
      views_remaining: 1,
    });
  });

  it('opens at the exact millisecond (A5)', async () => {
    const opensAt = after(CREATED, DAY_MS);
    const { url_token } = await running.app
      .get(CreationsService)
      .create(someNewPush({ opensAt }), someVisitor(), CREATED);
    const retrieveAt = (now: Date) =>
      running.app.get(RetrievalsService).retrieve(url_token, {}, someVisitor(), now);

    await expect(retrieveAt(after(opensAt, -1))).rejects.toMatchObject({ status: 403, retryAfterSeconds: 1 });
    expect((await retrieveAt(opensAt)).payload).toBe('correct horse');
  });

  it('checks and counts no passphrase before, and records each attempt as a failed view (A10, A11)', async () => {
    const terms = { passphrase: 'horse', expire_after_views: 1 };
    const { url_token } = (await create(inAnHour(), terms)).body;
    for (const passphrase of [undefined, 'horse', ...Array<string>(8).fill('wrong')])
      expect((await running.anonymous.retrieve(url_token, passphrase)).status).toBe(403);
    await running.dataSource.query('UPDATE pushes SET opens_at = created_at WHERE opens_at IS NOT NULL');

    expect((await running.anonymous.retrieve(url_token, 'horse')).body.payload).toBe('tulip');
    const failed = Array(10).fill('failed_view');
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', ...failed, 'view']);
  });

  it('can be checked, previewed, listed and deleted before', async () => {
    const { url_token } = (await create(inAnHour())).body;
    const path = `/api/v2/pushes/${url_token}`;

    expect((await running.anonymous.head(path)).status).toBe(200);
    expect((await running.anonymous.get(`${path}/preview`)).status).toBe(200);
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation']);
    expect((await owner.client.delete(path)).body).toMatchObject({ expired: true, deleted: true });
    expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({
      expired: true,
      payload: null,
    });
  });

  it.each([
    ...[
      'soon',
      '2100-01-01',
      '2100-01-01T10:00',
      '2100-01-01T10:00:00',
      '2100-01-01 10:00Z',
      '2100-02-29T00:00Z',
    ],
    ...['2100-13-01T00:00Z', '2100-01-01T25:00Z', '2100-01-01T10:00+1', '+002100-01-01T10:00Z', '4102444800'],
    ...[
      4102444800000,
      1e9,
      NaN,
      true,
      ['2100-01-01T10:00Z'],
      { __proto__: null, $date: 1 },
      '\u0662100-01-01T10:00Z',
    ],
    ...['2100-01-01T10:00Z\n', `2100-01-01T10:00:00.${'0'.repeat(100_000)}Z`],
  ])('cannot have %j as its time (A3)', async (opens_at) => {
    const { status, body } = await create(opens_at === opens_at ? opens_at : 'NaN');

    expect([status, body]).toEqual([
      422,
      { opens_at: ['must be a time with its zone, such as 2027-01-31T09:00:00Z'] },
    ]);
  });

  it('must open in the future and before its end', async () => {
    const past = await create(after(new Date(), -1).toISOString());
    const never = await create(after(new Date(), DAY_MS + HOUR_MS).toISOString(), { expire_after_days: 1 });
    const short = await create(inAnHour(), { expire_after_duration: 2 });
    const twice = await create(inAnHour(), { expire_after_days: 1e9 });

    expect([past.status, past.body]).toEqual([422, { opens_at: ['must be in the future'] }]);
    for (const { status, body } of [never, short])
      expect([status, body]).toEqual([422, { opens_at: ['must be before the push ends'] }]);
    expect([twice.status, Object.keys(twice.body as object)]).toEqual([422, ['expire_after_days']]);
  });

  it.each(['', null])('opens immediately when its time is %j', async (opens_at) => {
    const { status, body } = await create(opens_at);

    expect(status).toBe(201);
    expect(body).not.toHaveProperty('opens_at');
  });

  it('has its time in UTC, whatever zone it was given in', async () => {
    const time = after(new Date(), DAY_MS);
    const local = `${after(time, 5.5 * HOUR_MS)
      .toISOString()
      .slice(0, 16)}+05:30`;

    expect((await create(local)).body.opens_at).toBe(`${time.toISOString().slice(0, 16)}:00.000Z`);
  });
});

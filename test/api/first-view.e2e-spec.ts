import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { ListPage } from '../../src/platform/http/paging/list-page.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { PushesService } from '../../src/pushes/push/pushes.service.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { encoded, download } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const CREATED = new Date('2026-01-01T10:20:30.456Z');

describe('A push that ends some hours after its first view', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  const create = (expire_after_first_view: unknown) =>
    owner.client.post('/api/v2/pushes', { push: { payload: 'tulip', expire_after_first_view } });
  const makeAt = (createdAt: Date, terms: object) =>
    running.app
      .get(CreationsService)
      .create(someNewPush(terms), someVisitor({ userId: owner.id }), createdAt);
  const retrieveAt = (now: Date, urlToken: string) =>
    running.app.get(RetrievalsService).retrieve(urlToken, {}, someVisitor(), now);

  it('says so in every response, and its first retrieval already has the new end', async () => {
    const { url_token, expires_at } = await owner.client.push({
      payload: 'tulip',
      expire_after_first_view: '4',
    });
    const before = Date.now();

    const { body } = await running.anonymous.retrieve(url_token);

    expect(body).toMatchObject({
      payload: 'tulip',
      expired: false,
      expire_after_first_view: 4,
      days_remaining: 1,
    });
    const end = Date.parse(body.expires_at as string);
    expect(end).toBeGreaterThanOrEqual(before + 4 * HOUR_MS);
    expect(end).toBeLessThan(Date.parse(expires_at as string));
    expect((await running.anonymous.retrieve(url_token)).body.expires_at).toBe(body.expires_at);
    const [listed] = (await owner.client.get('/api/v2/pushes/active')).body;
    expect(listed).toMatchObject({ url_token, expires_at: body.expires_at, expire_after_first_view: 4 });
  });

  it('ends at the exact millisecond, also when no job has run (A5)', async () => {
    const { url_token } = await makeAt(CREATED, { expireAfterFirstView: 4 });
    const visitor = someVisitor({ userId: owner.id });
    const first = after(CREATED, DAY_MS);
    const end = after(first, 4 * HOUR_MS);
    const isListedAt = async (now: Date) => {
      const { body } = await running.app.get(PushesService).listActive(visitor, ListPage.parse('1'), now);
      return body.some((push) => push.url_token === url_token);
    };

    expect((await retrieveAt(first, url_token)).expires_at).toBe(end.toISOString());
    expect(await isListedAt(after(end, -1))).toBe(true);
    expect((await retrieveAt(after(end, -1), url_token)).payload).toBe('correct horse');
    expect(await isListedAt(end)).toBe(false);
    expect(await retrieveAt(end, url_token)).toMatchObject({ payload: null, expired_on: end.toISOString() });
    await running.app.get(Jobs).run('expiry');
    expect((await owner.client.retrieve(url_token)).body).toMatchObject({
      payload: null,
      expired_on: end.toISOString(),
      deleted: false,
    });
  });

  it('still ends by its days and by its views, whichever is first', async () => {
    const late = await makeAt(CREATED, { expireAfterFirstView: 48 });
    const once = await makeAt(CREATED, { expireAfterFirstView: 48, expireAfterViews: 1 });
    const lastDay = after(CREATED, 6.5 * DAY_MS);

    expect((await retrieveAt(lastDay, late.url_token)).expires_at).toBe(late.expires_at);
    await retrieveAt(lastDay, once.url_token);
    expect(await retrieveAt(lastDay, once.url_token)).toMatchObject({
      payload: null,
      expired_on: lastDay.toISOString(),
    });
  });

  it('gets one end from many first views at once (A1)', async () => {
    const terms = { payload: 'tulip', expire_after_views: 30, expire_after_first_view: 1 };
    const { url_token } = await owner.client.push(terms);

    const answers = await allAtOnce(30, () => running.anonymous.retrieve(url_token));

    expect(new Set(answers.map(({ body }) => body.expires_at)).size).toBe(1);
    expect(answers.every(({ body }) => body.payload === 'tulip')).toBe(true);
  });

  it('is not begun by what counts no view (A9, A10)', async () => {
    const terms = { payload: 'tulip', passphrase: 'horse', expire_after_first_view: 1 };
    const { url_token, expires_at } = await owner.client.push(terms);
    await running.anonymous.retrieve(url_token);
    await running.anonymous.retrieve(url_token, 'wrong');
    await running.anonymous.head(`/api/v2/pushes/${url_token}`);
    await running.anonymous.get(`/api/v2/pushes/${url_token}/preview`);
    await running.anonymous.get(`/p/${url_token}`);

    const [listed] = (await owner.client.get('/api/v2/pushes/active')).body;
    expect(listed).toMatchObject({ url_token, expires_at });
  });

  it('leaves the links to files that were given before as they are', async () => {
    const files = encoded([{ name: 'a.txt', content: 'rose' }]);
    const { url_token } = await owner.client.push({ files, expire_after_first_view: 1 });
    const { body } = await owner.client.retrieve(url_token);
    await running.dataSource.query(
      'UPDATE pushes SET expires_at = created_at WHERE expire_after_first_view = 1',
    );

    expect((await owner.client.retrieve(url_token)).body.expired).toBe(true);
    expect((await download(body.files[0].url as string)).status).toBe(200);
  });

  it.each([0, -1, 1.5, 2161, 1e9, '1e9', 'NaN', true, [1], { a: 1 }, '4 hours', '\u0664'])(
    'cannot have %j as its hours (A3)',
    async (hours) => {
      expect(await create(hours)).toMatchObject({
        status: 422,
        body: { expire_after_first_view: ['must be a whole number from 1 to 2160'] },
      });
    },
  );

  it.each([1, 2160, '2160', '', null])('can have %j as its hours', async (hours) => {
    const { status, body } = await create(hours);

    expect(status).toBe(201);
    expect(body.expire_after_first_view).toBe(hours ? Number(hours) : undefined);
  });
});

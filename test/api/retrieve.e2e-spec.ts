import { connect } from 'node:net';
import { Push } from '../../src/pushes/push/push.entity.js';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { requestBytes } from '../support/plain-socket.js';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = '/api/v2/pushes/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const running = forAllTests(startApp);

describe('Retrieving a push', () => {
  const owner = forAllTests(() => running.newUser());

  it('returns the payload and all fields of the push', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      expire_after_days: 3,
      expire_after_views: 4,
      name: 'for me',
      note: 'for me alone',
    });
    const { status, body } = await running.anonymous.retrieve(url_token);

    expect(status).toBe(200);
    expect(body).toEqual({
      expire_after_views: 4,
      expired: false,
      url_token,
      deletable_by_viewer: false,
      retrieval_step: false,
      expired_on: null,
      passphrase: null,
      created_at: expect.stringMatching(MOMENT),
      updated_at: expect.stringMatching(MOMENT),
      expire_after_days: 3,
      days_remaining: 3,
      views_remaining: 3,
      deleted: false,
      json_url: `${running.url}/api/v2/pushes/${url_token}`,
      html_url: `${running.url}/p/${url_token}`,
      kind: 'text',
      expires_at: expect.stringMatching(MOMENT),
      passphrase_required: false,
      payload: 'tulip',
      files: [],
    });
  });

  it.each([
    ['text', '  \u0000 two\r\nlines\t\u{1F339} <script>alert(1)</script> \'"; DROP TABLE pushes; -- '],
    ['url', 'https://user:pass@example.org/a?b=c#d'],
    ['qr', 'WIFI:S:tulip;T:WPA;P:horse;;'],
  ])('returns a %s as it was sent', async (kind, payload) => {
    const { url_token } = await running.anonymous.push({ kind, payload });

    expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({ kind, payload });
  });

  it('returns the payload up to the last view, and no payload after that', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 2 });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await running.anonymous.retrieve(url_token));

    const state = (views_remaining: number, expired: boolean) => ({ views_remaining, expired, files: [] });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ body }) => body)).toMatchObject([
      { ...state(1, false), payload: 'tulip', expired_on: null },
      { ...state(0, false), payload: 'tulip', expired_on: null },
      { ...state(0, true), payload: null, deleted: false },
      { ...state(0, true), payload: null, deleted: false },
    ]);
    expect(answers[2]?.body.expired_on).toBe(answers[1]?.body.updated_at);
    expect(answers[3]?.body).toEqual(answers[2]?.body);
    expect(await auditKinds(owner.client, url_token)).toEqual([
      'creation',
      'view',
      'view',
      'failed_view',
      'failed_view',
    ]);
  });

  it('erases everything from the row that could be opened after the last view (A6)', async () => {
    const { url_token } = await owner.client.push({ payload: 'a', passphrase: 'b', expire_after_views: 1 });
    const [{ id }] = await running.dataSource.query('SELECT id FROM pushes ORDER BY id DESC LIMIT 1');
    await running.anonymous.retrieve(url_token, 'b');

    const row = await running.dataSource.manager.findOneOrFail(Push, {
      select: { id: true, payload: true, dataKey: true, passphraseSalt: true },
      where: { id },
    });
    expect(row).toEqual({ id, payload: null, dataKey: null, passphraseSalt: null });
  });

  it('must not be cached, nor any other response about the push (A12)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    const path = `/api/v2/pushes/${url_token}`;
    const answers = [
      await running.anonymous.head(path),
      await running.anonymous.get(`${path}/preview`),
      await running.anonymous.get(path),
      await running.anonymous.get(path),
      await owner.client.get('/api/v2/pushes/expired'),
      await running.anonymous.get(UNKNOWN),
    ];

    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect(headers.get('etag')).toBeNull();
    }
  });

  it('counts a view of the owner like any other', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });

    expect((await owner.client.retrieve(url_token)).body.views_remaining).toBe(0);
    expect((await owner.client.retrieve(url_token)).body).toMatchObject({ expired: true, payload: null });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'failed_view']);
  });

  it.each(['GET', 'HEAD', 'DELETE'])(
    'responds to %s with 404 when the push does not exist',
    async (method) => {
      const { status, body } = await running.anonymous.send(method, UNKNOWN);

      expect(status).toBe(404);
      expect(body).toEqual(method === 'HEAD' ? '' : { error: 'not-found' });
    },
  );

  it.each([
    '%00',
    '..%2f..%2fetc%2fpasswd',
    '%27%20OR%201=1--',
    'A'.repeat(5000),
    '__proto__',
    '%F0%9F%8C%B9',
  ])('responds with 404 to the hostile token %s', async (token) => {
    const { status, body } = await running.anonymous.retrieve(token);

    expect([status, body]).toEqual([404, { error: 'not-found' }]);
  });

  it('distinguishes tokens that differ only in case (B8)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });

    for (const other of [
      url_token.toLowerCase(),
      url_token.toUpperCase(),
      `${url_token}%20`,
      `${url_token}=`,
    ]) {
      expect((await running.anonymous.retrieve(other)).status).toBe(404);
    }
  });
});

describe('A response that is lost', () => {
  const owner = forAllTests(() => running.newUser());

  it('counts as a view, and the secret is not shown again (A7)', async () => {
    const { url_token } = await owner.client.push({ payload: 'x'.repeat(1_000_000), expire_after_views: 1 });
    await disconnectAtFirstByte(`/api/v2/pushes/${url_token}`);

    const { body } = await running.anonymous.retrieve(url_token);
    expect(body).toMatchObject({ expired: true, payload: null, views_remaining: 0 });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'failed_view']);
  });

  /** Requests a path, and resets the connection at the first byte of the response. */
  function disconnectAtFirstByte(path: string): Promise<void> {
    const { hostname, port } = new URL(running.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(requestBytes([`GET ${path} HTTP/1.1`, 'Host: push.example.org']));
      });
      socket.once('data', () => {
        socket.resetAndDestroy();
      });
      socket.once('error', reject);
      socket.once('close', () => {
        resolve();
      });
    });
  }
});

describe('HEAD and preview of a push', () => {
  const owner = forAllTests(() => running.newUser());

  it('count and audit nothing, need no passphrase and reveal no secret (A9)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      expire_after_views: 1,
    });
    const path = `/api/v2/pushes/${url_token}`;
    const answers = [
      await running.anonymous.head(path),
      await running.anonymous.head(`${path}?passphrase=wrong`),
      await running.anonymous.with({ 'X-Push-Passphrase': '%' }).head(path),
      await running.anonymous.get(`${path}/preview`),
      await running.anonymous.head(`${path}/preview`),
    ];

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, ''],
      [200, ''],
      [200, ''],
      [200, { url: `${running.url}/p/${url_token}` }],
      [200, ''],
    ]);
    expect((await running.anonymous.send('OPTIONS', path)).body).not.toMatchObject({ payload: 'tulip' });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation']);
    expect((await running.anonymous.retrieve(url_token, 'horse')).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
    });
  });

  it('are possible after the end, and change nothing (A9)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      expire_after_views: 1,
      retrieval_step: true,
    });
    const path = `/api/v2/pushes/${url_token}`;
    await running.anonymous.retrieve(url_token);

    expect((await running.anonymous.head(path)).status).toBe(200);
    expect((await running.anonymous.get(`${path}/preview`)).body).toEqual({
      url: `${running.url}/p/${url_token}/r`,
    });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view']);
  });

  it('respond with 404 for an unknown push', async () => {
    const { status, body } = await running.anonymous.get(`${UNKNOWN}/preview`);

    expect([status, body]).toEqual([404, { error: 'not-found' }]);
  });
});

/** Last, because the strategies of passport are those of the app that was started last. */
describe('When the views of owners do not count', () => {
  const running = forAllTests(() => startApp({ OWNER_VIEWS_COUNT: 'false' }));
  const owner = forAllTests(() => running.newUser());

  it('the owner may retrieve any number of times, with the passphrase', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      expire_after_views: 1,
    });
    for (let i = 0; i < 3; i++) {
      expect((await owner.client.retrieve(url_token, 'horse')).body).toMatchObject({
        payload: 'tulip',
        views_remaining: 1,
      });
    }
    expect((await owner.client.retrieve(url_token)).status).toBe(401);

    expect(await auditKinds(owner.client, url_token)).toEqual([
      'creation',
      'owner_view',
      'owner_view',
      'owner_view',
    ]);
  });

  it('the views of others count, and after the end the owner cannot retrieve either', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 2 });
    const other = await running.newUser();
    await other.client.retrieve(url_token);
    await running.anonymous.retrieve(url_token);

    expect((await owner.client.retrieve(url_token)).body).toMatchObject({ expired: true, payload: null });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'view', 'failed_view']);
  });

  it('an anonymous push has no owner, so all its views count (C1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 2 });

    expect((await running.anonymous.retrieve(url_token)).body.views_remaining).toBe(1);
    expect((await owner.client.retrieve(url_token)).body.views_remaining).toBe(0);
  });
});

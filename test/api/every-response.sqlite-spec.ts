import { forAllTests } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

const JSON_UTF8 = 'application/json; charset=utf-8';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('Every response', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  /** Responses of each kind: successes and errors. */
  const oneOfEach = async (headers: Record<string, string> = {}) => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip' });
    const path = `/api/v2/pushes/${urlToken}`;
    const authorized = { Authorization: `Bearer ${owner.token}`, ...headers };
    const json = { 'Content-Type': 'application/json', ...headers };
    const create = (body: string) => ({ method: 'POST', path: '/api/v2/pushes', headers: json, body });
    const requests = [
      [200, { path, headers }],
      [200, { path: `${path}/preview`, headers }],
      [200, { path: '/api', headers }],
      [200, { path: '/api/v2/version', headers }],
      [200, { path: '/api/v2/pushes/active', headers: authorized }],
      [200, { path: `${path}/audit`, headers: authorized }],
      [201, create('{"push":{"payload":"tulip"}}')],
      [400, create('{')],
      [400, { path: '/api/%zz', headers }],
      [401, { path: '/api/v2/pushes/active', headers }],
      [404, { path: '/api/v2/pushes/unknown', headers }],
      [404, { path: '/api/nothing', headers }],
      [422, create('{"push":{"payload":""}}')],
      [200, { method: 'DELETE', path, headers: authorized }],
    ] as const;
    return Promise.all(
      requests.map(async ([expected, request]) => ({ expected, ...(await sendRaw(running.url, request)) })),
    );
  };

  it('is JSON whatever the Accept header says', async () => {
    for (const accept of ['text/html', 'image/png', 'application/xml;q=0.9', '*/*;q=0', '']) {
      for (const { expected, status, headers, body } of await oneOfEach({ Accept: accept })) {
        expect(status).toBe(expected);
        expect(headers['content-type']).toBe(JSON_UTF8);
        expect(typeof body).toBe('object');
      }
    }
  });

  it('has a unique request id and must not be cached', async () => {
    const answers = await oneOfEach({ 'X-Request-Id': 'mine' });

    for (const { headers } of answers) {
      expect(headers['x-request-id']).toMatch(UUID);
      expect(headers['cache-control']).toBe('no-store, no-transform');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  it('does not reveal the software of the server, nor allow other origins (H4, D2)', async () => {
    for (const { headers } of await oneOfEach({ Origin: 'https://evil.example' })) {
      expect(Object.keys(headers)).not.toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^(x-powered-by|server|etag|access-control-.*|set-cookie)$/),
        ]),
      );
    }
  });

  it.each<Record<string, string>>([
    { 'If-None-Match': '*' },
    { 'If-None-Match': 'W/"1-a", "tulip"' },
    { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { 'If-None-Match': '*', 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { 'If-Match': '"tulip"' },
    { Range: 'bytes=0-1' },
  ])('is complete in spite of %j, because its view is counted (A12)', async (headers) => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    const { status, body } = await sendRaw(running.url, { path: `/api/v2/pushes/${urlToken}`, headers });

    expect(status).toBe(200);
    expect(body).toMatchObject({ payload: 'tulip', views_remaining: 0 });
  });

  it.each<Record<string, string>>([
    { 'X-HTTP-Method-Override': 'DELETE' },
    { 'X-Original-URL': '/api/v2/version' },
    { Upgrade: 'websocket', Connection: 'Upgrade' },
  ])('is for the requested method and path, in spite of %j', async (headers) => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
    const { body } = await sendRaw(running.url, {
      path: `/api/v2/pushes/${urlToken}?_method=DELETE`,
      headers,
    });

    expect(body).toMatchObject({ payload: 'tulip', deleted: false });
  });
});

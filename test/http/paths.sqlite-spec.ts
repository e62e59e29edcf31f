import { forAllTests, forEachTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

const FORMS: [string, (path: string) => string][] = [
  ['.json after it', (path) => `${path}.json`],
  ['a slash after it', (path) => `${path}/`],
  ['two slashes after it', (path) => `${path}//`],
  ['.json and a slash after it', (path) => `${path}.json/`],
  ['doubled slashes in it', (path) => path.replaceAll('/', '//')],
  ['many slashes in it and .json after it', (path) => `${path.replaceAll('/', '////')}.json`],
];

const NOT_FOUND = { error: 'not-found' };

const KNOWN: [string, string[]][] = [
  ['/api', ['GET', 'HEAD']],
  ['/api/docs', ['GET', 'HEAD']],
  ['/api/v2/version', ['GET', 'HEAD']],
  ['/api/v2/pushes', ['POST']],
  ['/api/v2/pushes/active', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/api/v2/pushes/expired', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/api/v2/pushes/some-token', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/api/v2/pushes/some-token/preview', ['GET', 'HEAD']],
  ['/api/v2/pushes/some-token/audit', ['GET', 'HEAD']],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

const running = forAllTests(startApp);
const owner = forEachTest(() => running.newUser());

describe.each(FORMS)('An address with %s', (_name, form) => {
  const send = (method: string, path: string, query = '') =>
    sendRaw(running.url, {
      method,
      path: form(path) + query,
      headers: {
        Authorization: `Bearer ${owner.token}`,
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      },
      ...(method === 'POST' && { body: '{"push":{"payload":"tulip","passphrase":"a/b//c.json/"}}' }),
    });

  it('gets a response without a redirect, at every endpoint', async () => {
    const created = await send('POST', '/api/v2/pushes');
    const path = `/api/v2/pushes/${created.body.url_token}`;

    expect(created.status).toBe(201);
    expect((await send('GET', '/api')).body).toMatchObject({ v2: `${running.url}/api/v2` });
    expect((await send('GET', '/api/docs')).status).toBe(200);
    expect((await send('GET', '/api/v2/version')).body.api_version).toBe('2.1');
    expect((await send('GET', '/api/v2/pushes/active')).body).toHaveLength(1);
    expect((await send('HEAD', path)).status).toBe(200);
    expect((await send('GET', `${path}/preview`)).body).toEqual({ url: created.body.html_url });
    expect((await send('GET', path, '?passphrase=a/b//c.json/')).body.payload).toBe('tulip');
    expect((await send('GET', `${path}/audit`, '?page=1')).body.logs).toHaveLength(2);
    expect((await send('DELETE', path)).body.deleted).toBe(true);
    expect((await send('GET', '/api/v2/pushes/expired', '?page=1')).body).toHaveLength(1);
  });

  it('is subject to the same checks', async () => {
    const anonymous = (path: string) => sendRaw(running.url, { path: form(path) });

    expect((await anonymous('/api/v2/pushes/active')).status).toBe(401);
    expect((await anonymous('/api/v2/pushes/unknown')).status).toBe(404);
    expect((await anonymous('/api/v2/accounts')).status).toBe(404);
    expect((await send('GET', '/api/v2/pushes/active', '?page=0')).status).toBe(400);
  });
});

describe('An unknown endpoint', () => {
  it.each([
    '/api/v1',
    '/api/v1/accounts',
    '/api/v1/accounts.json',
    '/api/v1/pushes',
    '/api/v2',
    '/api/v2/',
    '/api/v2/accounts',
    '/api/v2/accounts.json',
    '/api/v2/requests',
    '/api/v2/workspaces',
    '/api/v2/requests/1',
    '/api/v2/requests/open',
    '/api/v2/push',
    '/api/v2/pushes/some-token/unknown',
    '/api/v2/pushes/some-token/audit/1',
    '/api/v2/version/1',
    '/api/v3/version',
    '/api/v2/pushes/../version',
    '/api/v2/constructor',
  ])('responds with 404 at %s with a valid token, a wrong one and none', async (path) => {
    const good = { Authorization: `Bearer ${owner.token}` };
    const bad = { Authorization: 'Bearer wrong' };
    const none = { Authorization: 'Basic x' };
    for (const headers of [good, bad, none]) {
      const answer = await sendRaw(running.url, { path, headers });

      expect(answer).toMatchObject({ status: 404, body: NOT_FOUND });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  describe.each(KNOWN)('of %s', (path, known) => {
    it.each(METHODS.filter((method) => !known.includes(method)))('is %s', async (method) => {
      for (const Authorization of [`Bearer ${owner.token}`, 'Basic x']) {
        const { status, body } = await sendRaw(running.url, { method, path, headers: { Authorization } });

        expect(status).toBe(404);
        expect(body).toEqual(method === 'HEAD' ? '' : NOT_FOUND);
      }
    });
  });

  it.each(['/api/V2/version', '/api/v2/Version', '/api/v2/PUSHES/active'])(
    'can be %s, because paths are case-sensitive',
    async (path) => {
      expect(await owner.client.get(path)).toMatchObject({ status: 404, body: NOT_FOUND });
    },
  );

  it.each([
    '/nothing',
    '/apiv2/version',
    '/api%2Fv2/version',
    '/__proto__',
    '/API',
    '/Api/v2/version',
    '/x/a.json',
  ])('shows an error page at %s, which is not a path of the API', async (path) => {
    const { status, headers, body } = await sendRaw(running.url, { path });

    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('Page not found');
  });

  it.each(['PUT', 'POST'])('is %s to change or restore a push (A4, C6)', async (method) => {
    const push = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    const ended = await owner.client.push({ payload: 'rose', expire_after_views: 1 });
    await owner.client.retrieve(ended.url_token);
    const headers = { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' };
    const change = { expire_after_views: 50, expire_after_days: 90, expired: false, payload: 'thorn' };
    const body = JSON.stringify({ push: change, password: change, ...change });
    for (const { url_token } of [push, ended]) {
      for (const path of [`/api/v2/pushes/${url_token}`, `/p/${url_token}.json`]) {
        expect(await sendRaw(running.url, { method, path, headers, body })).toMatchObject({ status: 404 });
      }
    }

    const [first, second] = [
      await owner.client.retrieve(push.url_token),
      await owner.client.retrieve(ended.url_token),
    ];
    expect(first.body).toMatchObject({ payload: 'tulip', views_remaining: 0 });
    expect(second.body).toMatchObject({ payload: null, expired: true });
  });

  it('is a WebSocket or an event stream (I7)', async () => {
    const asked: Record<string, string>[] = [
      { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      { Accept: 'text/event-stream' },
    ];
    for (const headers of asked) {
      const answer = await sendRaw(running.url, { path: '/api/v2/version', headers });

      expect(answer).toMatchObject({ status: 200, body: { api_version: '2.1' } });
    }
  });

  it('is a url_token with another letter case (B8)', async () => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip' });
    const swapped = (urlToken as string).replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );

    expect((await running.anonymous.retrieve(swapped)).status).toBe(404);
    expect((await running.anonymous.retrieve(urlToken)).status).toBe(200);
  });

  it.each([
    '%00',
    "'%20OR%201=1--",
    '%F0%9F%8C%B7',
    '..%2F..%2Fversion',
    'some-token%2Fpreview',
    'undefined',
    'null',
    '__proto__',
    'a'.repeat(12_000),
  ])('is the url_token %s', async (urlToken) => {
    const answer = await sendRaw(running.url, { path: `/api/v2/pushes/${urlToken}` });

    expect(answer).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it.each([
    ...['/api/v2/pushes/%zz', '/api/v2/pushes/secret%', '/api/v2/pushes/%C3', '/api/%'],
    ...['//api//v2//pushes//%//audit', '/p/%.json/'],
  ])('with the malformed path %s is rejected without quoting it', async (path) => {
    const { status, body } = await sendRaw(running.url, { path });

    expect(status).toBe(400);
    expect(body).toEqual({ error: 'The address is not well-formed.' });
  });
});

describe('Paths of the legacy API', () => {
  describe.each(['p', 'f', 'r'])('under /%s', (prefix) => {
    it('accept extra slashes, and never redirect', async () => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip' });
      const paths = [
        `//${prefix}//${token}.json/`,
        `/${prefix}///${token}.json//`,
        `/${prefix}//${token}//preview.json/`,
        `//${prefix}/${token}//audit.json//`,
        `//${prefix}//active.json/`,
        `/${prefix}//expired.json/?page=1`,
      ];
      const answers = await Promise.all(paths.map((path) => owner.client.get(path)));

      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      expect(answers[4]?.headers.get('link')).toContain(`<${running.url}/${prefix}/active.json?page=1>`);
    });

    it('are not part of the API without .json', async () => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
      const asJson = owner.client.with({ Accept: 'application/json' });
      const answers = [
        await asJson.get(`/${prefix}`),
        await asJson.get(`/${prefix}/${token}`),
        await asJson.get(`/${prefix}/${token}/preview`),
        await asJson.get(`/${prefix}/${token}/audit`),
        await asJson.get(`/${prefix}/active`),
        await asJson.delete(`/${prefix}/${token}`),
        await asJson.post(`/${prefix}`, { password: { payload: 'rose' } }),
      ];

      for (const { body } of answers) {
        expect(JSON.stringify(body)).not.toMatch(/tulip|url_token|"url"|"views"/);
      }
      expect((await owner.client.get('/p/active.json')).body).toMatchObject([
        { url_token: token, views_remaining: 5 },
      ]);
    });

    it.each(['PUT', 'PATCH', 'POST', 'OPTIONS'])('do not support %s for a push', async (method) => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });

      expect(await owner.client.send(method, `/${prefix}/${token}.json`)).toMatchObject({
        status: 404,
        body: { error: 'not-found' },
      });
      expect((await running.anonymous.retrieve(token)).body.views_remaining).toBe(4);
    });
  });

  it.each(['/p.json', '/f.json', '/r.json', '/p/unknown.json', '/p/unknown/files.json'])(
    'respond with 404 to GET %s, whatever the token',
    async (path) => {
      const wrong = running.anonymous.with({ Authorization: 'Bearer wrong' });
      const answers = [await running.anonymous.get(path), await owner.client.get(path)];
      if (path !== '/p/unknown.json') answers.push(await wrong.get(path));

      for (const answer of answers)
        expect(answer).toMatchObject({ status: 404, body: { error: 'not-found' } });
    },
  );
});

import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/auth/access.decorators.js';
import { SESSION_COOKIE } from '../../src/auth/sessions/session-cookie.js';
import { OnGateway } from '../../src/platform/http/gateway.guard.js';
import { newAdministrator } from '../support/administrator.js';
import { auditKinds } from '../support/audit-kinds.js';
import { newApiClient } from '../support/command.js';
import { download, encoded } from '../support/files.js';
import { makeInstance, makeNewInstance } from '../support/instance.js';
import { PageClient, withoutOwnPath } from '../support/page-client.js';
import { ask, respond } from '../support/requests.js';
import type { Route } from '../support/routes.js';
import { routesOf } from '../support/routes.js';
import type { RawResponse } from '../support/send-raw.js';
import { sendRaw } from '../support/send-raw.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';

const GATEWAY = { ROLE: 'gateway', ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' };

const legacy = (route: string) => ['p', 'f', 'r'].map((prefix) => route.replace('*', prefix));

const SERVED = [
  'GET /api/v1/version',
  'GET /api/v2/version',
  'GET /ready',
  'GET /up',
  'HEAD /api/v2/pushes/:url_token',
  'GET /api/v2/pushes/:url_token',
  'GET /api/v2/pushes/:url_token/preview',
  'POST /api/v2/pushes/:url_token/code',
  'DELETE /api/v2/pushes/:url_token',
  ...legacy('HEAD /*/:url_token.json'),
  ...legacy('GET /*/:url_token.json'),
  ...legacy('GET /*/:url_token/preview.json'),
  ...legacy('DELETE /*/:url_token.json'),
  'GET /api/v2/requests/:url_token',
  'GET /api/v2/requests/:url_token/preview',
  'PATCH /api/v2/requests/:url_token/respond',
  'POST /api/v2/requests/:url_token/respond',
  'POST /api/v2/uploads',
  'POST /api/v2/uploads/:id',
  'HEAD /api/v2/uploads/:id',
  'PATCH /api/v2/uploads/:id',
  'DELETE /api/v2/uploads/:id',
  'POST /uploads',
  'HEAD /uploads/:id',
  'PATCH /uploads/:id',
  'DELETE /uploads/:id',
  'HEAD /files/:ticket',
  'GET /files/:ticket',
  'HEAD /files/all/:ticket',
  'GET /files/all/:ticket',
  'GET /assets/:version/:name',
  'GET /favicon.ico',
  'GET /robots.txt',
  'GET /how-it-works',
  'POST /language',
  'GET /p/:url_token',
  'GET /p/:url_token/r',
  'POST /p/:url_token',
  'POST /p/:url_token/r',
  'POST /p/:url_token/code',
  'GET /p/:url_token/delete',
  'POST /p/:url_token/delete',
  ...['p', 'f', 'r'].flatMap((kind) => [
    `GET /:locale/${kind}/:url_token`,
    `GET /:locale/${kind}/:url_token/r`,
  ]),
  ...['f', 'r'].flatMap((kind) => [`GET /${kind}/:url_token`, `GET /${kind}/:url_token/r`]),
  'GET /requests/:url_token',
  'GET /requests/:url_token/sent',
  'POST /requests/:url_token',
  'POST /requests/:url_token/passphrase',
];

const named = ({ method, path }: Route) => `${method} ${path}`;

/** A path that does not exist, in the same part of the site. */
const besides = (path: string) =>
  path.endsWith('.json') ? path.replace('.json', '/nothing.json') : `${path.replace(/\/$/, '')}/nothing`;

/** What a client can tell a response by, other than its own path, which pages repeat: so their length differs. */
function comparable({ status, headers, body }: RawResponse) {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...others } = headers;
  return { status, headers: others, body: typeof body === 'string' ? withoutOwnPath(body) : body };
}

describe('A gateway', () => {
  const instance = forAllTests(makeInstance);
  let urlToken: string;
  let credentials: Record<string, string>[];

  beforeAll(async () => {
    const full = await startApp({ ENABLE_REQUESTS_API: 'true' }, { instance });
    const { pageClient } = await newAdministrator(full);
    const { client, token } = await full.newUser();
    urlToken = (await client.push({ payload: 'tulip', deletable_by_viewer: true })).url_token;
    credentials = [{}, { Authorization: `Bearer ${token}` }, { Cookie: pageClient.cookies }];
    await full.stop();
  });
  const gateway = forAllTests(() => startApp(GATEWAY, { instance, extensions: [OwnModule] }));

  const send = (method: string, path: string, headers = {}) =>
    sendRaw(gateway.url, {
      method,
      path: path.replace(':url_token', urlToken).replace(':locale', 'en'),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    });

  it('serves only what recipients need: every other route is as if it did not exist', async () => {
    const routes = routesOf(gateway.app).filter(({ path }) => !path.startsWith('/own'));
    const closed = routes.filter((route) => !SERVED.includes(named(route)));
    expect(routes.map(named)).toEqual(expect.arrayContaining(SERVED));
    expect(closed.length).toBeGreaterThan(80);

    for (const { method, path } of closed)
      for (const headers of credentials) {
        const [answer, unknown] = await Promise.all([
          send(method, path, headers),
          send(method, besides(path), headers),
        ]);
        expect([method, path, comparable(answer)]).toEqual([method, path, comparable(unknown)]);
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
  });

  it('does not tell by OPTIONS which routes there are', async () => {
    const paths = [...new Set(routesOf(gateway.app).map(({ path }) => path))];
    const statuses = await Promise.all(paths.map(async (path) => (await send('OPTIONS', path)).status));
    expect(new Set(statuses)).toEqual(new Set([404]));
  });

  it('does not serve the routes of an added module unless a decorator opens them', async () => {
    const statuses = ['/own/open', '/own/closed'].map(async (path) => (await send('GET', path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });

  it('does not know the session of the owner, and links to nothing that it does not serve', async () => {
    const [, , cookie] = credentials;
    expect(cookie?.Cookie).toContain(SESSION_COOKIE);
    for (const path of ['/p/:url_token', '/p/:url_token/delete', '/how-it-works', '/nothing', '/p/gone']) {
      const { body } = await send('GET', path, cookie);
      const links = [...(body as string).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, target]) => target);
      expect([path, [...new Set(links)].sort()]).toEqual([path, ['#main', '/how-it-works']]);
    }
  });

  it('offers in its version nothing that creates a push', async () => {
    const { features } = (await send('GET', '/api/v2/version')).body;
    expect(features.pushes).toEqual({
      enabled: false,
      email_auto_dispatch: false,
      recipients: false,
      file_attachments: { enabled: false, requires_authentication: true },
      url_pushes: { enabled: false },
      qr_code_pushes: { enabled: false },
      password_generator: { enabled: false, languages: ['en', 'es', 'fr', 'de', 'it', 'cs', 'pt'] },
      first_view_limit: { enabled: false },
      opening_time: { enabled: false },
      network_limit: { enabled: false },
      changes: { enabled: false },
    });
    expect(features.requests).toEqual({ enabled: true });
  });
});

@Controller('own')
class OwnController {
  @Get('open')
  @Public()
  @OnGateway()
  open(): string {
    return 'open';
  }

  @Get('closed')
  @Public()
  closed(): string {
    return 'closed';
  }
}

@Module({ controllers: [OwnController] })
class OwnModule {}

describe('A gateway with a limit of requests', () => {
  it('counts none of what it does not serve, and looks up no token for it', async () => {
    const gateway = await forThisTest(startApp({ ...GATEWAY, REQUESTS_PER_MINUTE: '2' }));
    const client = gateway.anonymous.with({ Authorization: 'Bearer wrong' });
    const closed = Array.from({ length: 9 }, () => client.post('/api/v2/pushes', { push: { payload: 'x' } }));
    expect((await Promise.all(closed)).map(({ status }) => status)).toEqual(Array(9).fill(404));
    expect((await client.retrieve('unknown')).status).toBe(401);
  });
});

describe('A gateway beside a process that serves everything', () => {
  const PUBLIC_URL = 'https://push.example.org';
  const instance = forAllTests(makeInstance);
  const full = forAllTests(() => spawnServer(instance, { PUBLIC_URL, ENABLE_REQUESTS_API: 'true' }));
  const gateway = forAllTests(() => spawnServer(instance, { PUBLIC_URL, ...GATEWAY }));
  const owner = forAllTests(() => newApiClient(full, instance));
  const recipient = forAllTests(() => new PageClient(gateway.url));

  it('opens what that has created, with its files, on the page', async () => {
    const files = encoded([{ name: 'tulip.txt', content: 'a red tulip' }]);
    const push = await owner.push({ payload: 'tulip', passphrase: 'horse', retrieval_step: true, files });
    const path = new URL(push.html_url).pathname;
    expect(push.html_url).toMatch(`${PUBLIC_URL}/p/`);

    expect((await recipient.get(path)).body).toContain('name="passphrase"');
    expect((await recipient.post(path, { passphrase: 'house' })).status).toBe(422);
    const opened = await recipient.post(path, { passphrase: 'horse' });
    expect(opened.body).toContain('tulip');
    const [, link = ''] = /(\/files\/[^"]+)"/.exec(opened.body) ?? [];
    expect((await download(gateway.url + link)).bytes.toString()).toBe('a red tulip');
    expect(await auditKinds(owner, push.url_token)).toEqual([
      'creation',
      'failed_passphrase',
      'view',
      'file_download',
    ]);
  });

  it('opens and deletes it by both versions of the API', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', deletable_by_viewer: true });
    const { anonymous } = gateway;

    expect((await anonymous.head(`/api/v2/pushes/${url_token}`)).status).toBe(200);
    expect((await anonymous.retrieve(url_token)).body.payload).toBe('tulip');
    expect((await anonymous.get(`/p/${url_token}.json`)).body.payload).toBe('tulip');
    expect((await anonymous.delete(`/api/v2/pushes/${url_token}`)).body.deleted).toBe(true);
    expect((await owner.get(`/p/${url_token}.json`)).body.expired).toBe(true);
  });

  it('takes answers to requests, on the page and by the API', async () => {
    const { url_token: urlToken } = await ask(owner, { answers: 2 });
    const path = `/requests/${urlToken}`;

    expect((await recipient.get(path)).body).toContain('name="push[payload]"');
    expect((await recipient.post(path, { 'push[payload]': 'rose' })).status).toBe(201);
    expect((await respond(gateway.anonymous, urlToken, 'lily')).status).toBe(201);
    const { body } = await owner.get(`/api/v2/requests/${urlToken}`);
    const answers = (body.answer_url_tokens as string[]).map((token) => owner.retrieve(token));
    expect((await Promise.all(answers)).map((answer) => answer.body.payload).sort()).toEqual([
      'lily',
      'rose',
    ]);
  });

  it('creates nothing', async () => {
    const push = { payload: 'tulip' };
    const client = owner.at(gateway.url);
    expect((await client.post('/api/v2/pushes', { push })).status).toBe(404);
    expect((await client.post('/p.json', { password: push })).status).toBe(404);
    expect((await recipient.post('/', { 'push[payload]': 'tulip' })).status).toBe(404);
  });
});

describe('The first start of a gateway', () => {
  it('creates no administrator, and tells nobody how to become one', async () => {
    const instance = await forThisTest(makeNewInstance());
    const administrator = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'seven wide green rivers' };
    const gateway = await spawnServer(instance, { ...GATEWAY, ...administrator });
    await gateway.stop();
    const full = await spawnServer(instance);
    await full.stop();

    expect(gateway.output()).not.toMatch(/setup|administrator/i);
    expect(full.output()).toContain('Create the first administrator');
  });
});

import { OWN_PATHS } from '../../src/platform/settings/parse-public-url.js';
import { Client } from '../support/client.js';
import { forAllTests } from '../support/for-tests.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { routesOf } from '../support/routes.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

const BASE = 'https://example.org/push';

describe('Below a path of a host', () => {
  const running = forAllTests(() => startApp({ PUBLIC_URL: `${BASE}/` }));

  describe.each([
    ['that leaves the path as it is', '/push'],
    ['that removes it', ''],
  ])('behind a proxy %s', (_name, prefix) => {
    const at = (path: string) => running.anonymous.get(prefix + path);

    it('pages, files for them, API and health checks respond', async () => {
      const { body: page } = await at('/');
      const script = /src="\/push(\/assets\/[^"]+)"/.exec(page as string)?.[1] ?? '';

      for (const path of [script, '/users/sign_in', '/api/docs', '/favicon.ico', '/up', '/ready'])
        expect([path, (await at(path)).status]).toEqual([path, 200]);
      expect((await at('/api/v1/version.json')).body).toHaveProperty('api_version');
      expect((await at('//api/v2//version.json/')).status).toBe(200);
      expect((await at('/unknown')).status).toBe(404);
    });

    it('a push is created, opened and deleted by both versions of the API', async () => {
      const { client } = await running.newUser();
      const v1 = await client.post(`${prefix}/p.json`, { password: { payload: 'tulip' } });
      const v2 = await client.post(`${prefix}/api/v2/pushes`, { push: { payload: 'tulip' } });

      expect([v1.status, v2.status]).toEqual([201, 201]);
      expect(v1.body.html_url).toBe(`${BASE}/p/${v1.body.url_token}`);
      expect(v1.body.json_url).toBe(`${BASE}/api/v2/pushes/${v1.body.url_token}`);
      expect(v2.body.json_url).toBe(`${BASE}/api/v2/pushes/${v2.body.url_token}`);
      expect((await at(`/en/p/${v1.body.url_token}.json`)).body.payload).toBe('tulip');
      expect((await at(`/api/v2/pushes/${v2.body.url_token}`)).body.payload).toBe('tulip');
      expect((await at(`/p/${v1.body.url_token}%23key`)).status).toBe(200);
      const { headers } = await client.get(`${prefix}/p/active.json`);
      expect(headers.get('link')).toMatch(/^<https:\/\/example\.org\/push\/p\/active\.json\?page=1>;/);
      expect((await client.delete(`${prefix}/p/${v1.body.url_token}.json`)).status).toBe(200);
    });

    it('a download link is one of the host, and works', async () => {
      const { client } = await running.newUser();
      const form = new FormData();
      form.append('push[files][]', new Blob(['tulips']), 'a.txt');
      const { body: push } = await client.post(`${prefix}/api/v2/pushes`, form);
      const { files } = (await at(`/api/v2/pushes/${push.url_token}`)).body;
      const [, path = ''] = /^https:\/\/example\.org\/push(\/files\/.+)$/.exec(files[0].url as string) ?? [];
      const { headers } = await fetch(running.url + prefix + path);

      expect(headers.get('content-length')).toBe('6');
    });

    it('redirects lead to the path of the host', async () => {
      const pages = new PageClient(running.url);

      for (const [path, location] of [
        ['/pushes?page=2', '/push/users/sign_in?next=%2Fpushes%3Fpage%3D2'],
        ['/f/aaaaaaaaaaaaaaaaaaaaaaaa', '/push/p/aaaaaaaaaaaaaaaaaaaaaaaa'],
        ['/help/api', '/push/api/docs'],
      ] as const)
        expect((await pages.get(prefix + path)).headers.get('location')).toBe(location);
      const chosen = await pages.post(`${prefix}/language`, { language: 'de', next: '/users/sign_in' });
      expect(chosen.headers.get('location')).toBe('/push/users/sign_in');
    });

    it('cookies are for that path only (D5)', async () => {
      const { email } = await newSignedInUser(running);
      const pages = new PageClient(running.url);
      const { headers } = await pages.post(`${prefix}/users/sign_in`, { email, password: PASSWORD });

      expect(headers.get('location')).toBe('/push/pushes');
      expect(headers.getSetCookie()[0]).toMatch(
        /^__Secure-sealpush=[\w-]{43}; Max-Age=1209600; Path=\/push; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect((await pages.get(`${prefix}/pushes`)).status).toBe(200);
      const { headers: ended } = await pages.post(`${prefix}/users/sign_out`);
      expect(ended.get('set-cookie')).toMatch(/\b__Secure-sealpush=; Max-Age=0; Path=\/push;/);
      const { headers: language } = await pages.post(`${prefix}/language`, { language: 'de', next: '/' });
      expect(language.get('set-cookie')).toContain('; Path=/push;');
    });

    it('robots.txt and the description of the API name the path', async () => {
      expect((await at('/robots.txt')).body).toBe('User-agent: *\nAllow: /push/$\nDisallow: /push/\n');
      expect((await at('/api/v2/openapi.json')).body).toMatchObject({
        openapi: '3.1.0',
        servers: [{ url: BASE }],
      });
      expect((await at('/api')).body.v2).toBe(`${BASE}/api/v2`);
    });

    it('an error says nothing of the path, and JSON remains JSON', async () => {
      const unknown = await sendRaw(running.url, { path: `${prefix}/api/v2/pushes/%zz` });

      expect(unknown).toMatchObject({ status: 400, body: { error: 'The address is not well-formed.' } });
      expect((await at('/p/unknown.json')).headers.get('content-type')).toContain('json');
    });
  });

  it('the address without a slash at its end is the front page', async () => {
    const { status, body } = await running.anonymous.get('/push');

    expect(status).toBe(200);
    expect(body).toContain('action="/push/"');
  });

  it('a path that only begins alike is another one', async () => {
    for (const path of ['/pusher/api/v2/version', '/push.json', '/PUSH/api/v2/version', '/push/push/'])
      expect([path, (await new Client(running.url).get(path)).status]).toEqual([path, 404]);
  });

  it('every route begins with a path that PUBLIC_URL may not have', () => {
    const first = routesOf(running.app).map(({ path }) => path.split('/')[1] ?? '');
    const fixed = new Set(first.filter((name) => name !== '' && !name.startsWith(':')));

    expect(
      [...fixed].map((name) => name.replace(/\.json$/, '')).filter((name) => !OWN_PATHS.includes(name)),
    ).toEqual([]);
    expect(OWN_PATHS.filter((name) => !fixed.has(name))).toEqual([]);
  });
});

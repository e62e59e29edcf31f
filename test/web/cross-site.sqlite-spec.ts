import { User } from '../../src/auth/entities/user.entity.js';
import { Client } from '../support/client.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { routesOf } from '../support/routes.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';

const ELSEWHERE: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': '' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1' },
];

/** As sent by an older browser, or over plain HTTP. */
const withoutFetchMetadata = (url: string, cookie: string, origin?: string) =>
  fetch(`${url}/users/sign_out_everywhere`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, ...(origin !== undefined && { Origin: origin }) },
  });

describe('A form that is posted from another site', () => {
  const running = forAllTests(startApp);
  const member = forEachTest(() => newSignedInUser(running));

  it('is rejected by every page that takes one (D2)', async () => {
    const paths = routesOf(running.app)
      .filter(
        ({ method, path }) => method === 'POST' && !/^\/api\/|\.json$|sign_in\/(join|provider)/.test(path),
      )
      .map(({ path }) => path.replaceAll(/:\w+/g, 'a'.repeat(43)));
    for (const path of paths)
      for (const elsewhere of ELSEWHERE) {
        const { status, body, headers } = await member.pageClient.post(
          path,
          { password: PASSWORD },
          elsewhere,
        );
        const isSaid = body.includes('sent from another site');
        expect([path, status, isSaid, headers.getSetCookie()]).toEqual([path, 403, true, []]);
      }

    expect(paths.length).toBeGreaterThan(60);
    expect(await member.pageClient.isSignedIn()).toBe(true);
    expect(await running.dataSource.manager.countBy(User, { id: member.id })).toBe(1);
  });

  it('cannot sign a user in to another person’s account (D2)', async () => {
    const victim = new PageClient(running.url, { 'Sec-Fetch-Site': 'cross-site' });

    const { status, headers } = await victim.signIn(member.email);

    expect(status).toBe(403);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1', 'garbage', ''])(
    'is rejected by its origin %j when the browser sends no Sec-Fetch-Site (D2)',
    async (origin) => {
      const { status } = await withoutFetchMetadata(running.url, member.pageClient.cookies, origin);

      expect(status).toBe(403);
    },
  );

  it('is rejected when the browser sends a cookie but neither Sec-Fetch-Site nor Origin (D2)', async () => {
    expect((await withoutFetchMetadata(running.url, member.pageClient.cookies)).status).toBe(403);
  });

  it('is accepted without Sec-Fetch-Site if its origin is our own', async () => {
    expect((await withoutFetchMetadata(running.url, member.pageClient.cookies, running.url)).status).toBe(
      303,
    );
    expect(await member.pageClient.isSignedIn()).toBe(false);
  });
});

describe('A form of an installation with TLS, sent by a browser without Sec-Fetch-Site', () => {
  const running = forAllTests(() => startApp({ PUBLIC_URL: 'https://push.example.org' }));

  const post = async (path: string, headers: Record<string, string>, fields: Record<string, string> = {}) => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', retrieval_step: true });
    return new Client(running.url, headers).send(
      'POST',
      path.replace('T', url_token),
      new URLSearchParams(fields),
    );
  };

  it('is accepted from our own pages: without a script, people sign in and open secrets', async () => {
    const Origin = 'https://push.example.org';
    const { email, pageClient } = await newSignedInUser(running);

    const opened = await post('/p/T', { Origin });
    const signedIn = await post('/users/sign_in', { Origin }, { email, password: PASSWORD });
    const signedOut = await post('/users/sign_out', { Origin, Cookie: pageClient.cookies });

    expect([opened.status, opened.body]).toEqual([200, expect.stringContaining('tulip')]);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/pushes']);
    expect(signedIn.headers.getSetCookie().join()).toContain('__Host-sealpush=');
    expect(signedOut.status).toBe(303);
    expect(await pageClient.isSignedIn()).toBe(false);
  });

  it.each(['https://evil.example', 'https://push.example.org.evil.example', 'null', 'garbage'])(
    'is rejected from the origin %j (D2)',
    async (Origin) => {
      for (const path of ['/p/T', '/users/sign_in', '/']) {
        const { status, body } = await post(path, { Origin });

        expect([path, status, body]).toEqual([path, 403, expect.stringContaining('sent from another site')]);
      }
    },
  );

  it('names PUBLIC_URL if the page came without TLS, and does nothing (D2)', async () => {
    for (const Origin of [running.url, 'http://push.example.org'])
      for (const path of ['/p/T', '/users/sign_in', '/setup', '/']) {
        const { status, body } = await post(path, { Origin });
        const german = await post(path, { Origin, 'Accept-Language': 'de' });

        expect([path, status]).toEqual([path, 403]);
        expect(body).toMatch(/opened without encryption[^<]*https:\/\/push\.example\.org/);
        expect(body).not.toContain('another site');
        expect(german.body).toMatch(/ohne Verschlüsselung[^<]*https:\/\/push\.example\.org/);
      }
  });

  it('is accepted from another host name with TLS, which a proxy passes on', async () => {
    const { status } = await post('/p/T', { Origin: running.url.replace('http:', 'https:') });

    expect(status).toBe(200);
  });
});

import { forAllTests } from '../support/for-tests.js';
import type { SocketResponse } from '../support/plain-socket.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PageClient, withoutOwnPath } from '../support/page-client.js';

const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const BROWSER = [
  'Host: push.example.org',
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language: de,en-US;q=0.7,en;q=0.3',
  'Upgrade-Insecure-Requests: 1',
];

/** What the link of a push has for the locale at the beginning of a path. */
function localeOf(path: string): string {
  const [, locale] = /^\/+([a-z]{2}(?:-[A-Z]{2})?)\//.exec(path) ?? [];
  return locale === undefined ? '' : `?locale=${locale}`;
}

describe('Links as clients write them', () => {
  const running = forAllTests(startApp);
  let token: string;

  const visit = async (path: string): Promise<SocketResponse> => {
    const [answer] = await sendBytes(running.url, requestBytes([`GET ${path} HTTP/1.1`, ...BROWSER]));
    if (!answer) throw new Error('no answer');
    return answer;
  };

  beforeEach(async () => (token = (await running.anonymous.push({ payload: 'correct horse' })).url_token));

  it.each([
    '/en/p/T',
    '/en/p/T/r',
    '/en/f/T',
    '/pt-BR/r/T',
    '/zh-CN/f/T/r',
    '//en/p/T',
    '/en//p/T/',
    '/en/p/T?utm_source=mail',
    '/f/T',
    '/r/T/r',
    '//f/T/',
  ])('%s leads to the page of the push', async (path) => {
    const { status, headers, body } = await visit(path.replace('T', token));

    expect([status, headers.location, body]).toEqual([303, `/p/${token}${localeOf(path)}`, '']);
    expect((await running.anonymous.retrieve(token)).body.views_remaining).toBe(4);
  });

  it.each(['//p/T', '/p/T/', '//p//T//', '/p/T//r/', '///p/T/r'])(
    '%s is the page of the push, without a redirect',
    async (path) => {
      const { status, body } = await visit(path.replace('T', token));

      expect(status).toBe(200);
      expect(body).toContain(`action="/p/${token}"`);
    },
  );

  it('also open by the form at a path with doubled slashes', async () => {
    const opened = await new PageClient(running.url).post(`//p//${token}/`);

    expect(opened.status).toBe(200);
    expect(opened.body).toContain('correct horse');
  });

  it.each([
    '/EN/p/T',
    '/eng/p/T',
    '/e/p/T',
    '/en-us/p/T',
    '/en_US/p/T',
    '/pt-BRA/r/T',
    '/pt-BR-x/r/T',
    '/p/p/T',
    '/en/fr/p/T',
    '/en/x/T',
    '/en/p',
    '/en/p/T/x',
    '/en/p/T/delete',
    '/en/p/T/audit',
    '/en',
    '/%65n%2fp/T',
  ])('%s is not a page', async (path) => {
    const { status, headers } = await visit(path.replace('T', token));

    expect([status, headers.location]).toEqual([404, undefined]);
  });

  it.each(['/en/p/T', '/f/T/r', '/pt-BR/r/T'])(
    '%s of an unknown push leads to the same error message as other links',
    async (path) => {
      const { status, headers } = await visit(path.replace('T', UNKNOWN));
      const unknown = await visit(headers.location ?? '');
      const truncated = await visit(`/p/short${localeOf(path)}`);

      expect([status, headers.location]).toEqual([303, `/p/${UNKNOWN}${localeOf(path)}`]);
      expect(unknown.status).toBe(404);
      expect(truncated.status).toBe(404);
      expect(mainOf(truncated.body)).toBe(mainOf(unknown.body)); // the menu of languages needs a path to come back to
    },
  );

  it.each([
    '/en/p/..%2F..%2Fevil.example',
    '/en/r/%5Cevil.example',
    '//en//r//evil.example',
    '//evil.example/p',
  ])('%s does not redirect to another host (D6)', async (path) => {
    const { status, headers } = await visit(path);

    expect([status, headers.location]).toEqual([404, undefined]);
  });

  it('with a locale do not accept forms', async () => {
    const { status } = await new PageClient(running.url).post(`/en/p/${token}`);

    expect(status).toBe(404);
    expect((await running.anonymous.retrieve(token)).body.views_remaining).toBe(4);
  });

  it.each(['/api_tokens', '/api_tokens/', '//api_tokens'])(
    '%s leads to the page for creating API tokens, which requires signing in',
    async (path) => {
      const { status, headers } = await visit(path);
      const { pageClient } = await newSignedInUser(running);

      expect([status, headers.location]).toEqual([303, '/users/token']);
      expect((await visit('/users/token')).headers.location).toBe('/users/sign_in?next=%2Fusers%2Ftoken');
      expect((await pageClient.get('/users/token')).status).toBe(200);
    },
  );

  it.each(['/help/api', '/help/api/', '//help//api'])(
    '%s leads to the documentation of the API',
    async (path) => {
      const { status, headers } = await visit(path);

      expect([status, headers.location]).toEqual([303, '/api/docs']);
      expect((await running.anonymous.get('/api/docs')).status).toBe(200);
    },
  );
});

describe('Links as clients write them, with a path in PUBLIC_URL', () => {
  const running = forAllTests(() =>
    startApp({ PUBLIC_URL: 'https://example.org/secrets', ALLOW_ANONYMOUS: 'false' }),
  );

  it.each([
    [`/en/p/${UNKNOWN}/r`, `/secrets/p/${UNKNOWN}?locale=en`],
    [`/f/${UNKNOWN}`, `/secrets/p/${UNKNOWN}`],
    ['/api_tokens', '/secrets/users/token'],
    ['/help/api', '/secrets/api/docs'],
  ])('%s leads to %s, even without anonymous access', async (path, location) => {
    const { status, headers } = await running.anonymous.get(path);

    expect([status, headers.get('location')]).toEqual([303, location]);
  });
});

function mainOf(page: string): string {
  return /<main.*<\/main>/s.exec(withoutOwnPath(page))?.[0] ?? '';
}

import request from 'supertest';
import { archiveLink } from '../support/archives.js';
import { linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

/** As browsers send it when a person opens a link. */
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const NAVIGATION = { Accept: HTML, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const ERROR = 'This download link is invalid or has expired.';

describe('A download link that has ended', () => {
  const running = forAllTests(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
  let paths: string[];

  beforeAll(async () => {
    const { client } = await running.newUser();
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: 'tulip' }));
    const { url_token } = await pushFiles(client, files);
    const urls = [...(await linksOf(client, url_token)), await archiveLink(running.url, url_token)];
    await client.delete(`/api/v2/pushes/${url_token}`);
    paths = [...urls.map((url) => new URL(url).pathname), '/files/x', '/files/all/x/y'];
  });

  /** By an HTTP client that adds no headers, as `fetch` does. */
  const get = async (headers: Record<string, string>) => {
    const answers = paths.map((path) => request(running.url).get(path).set(headers));
    return (await Promise.all(answers)).map(({ status, headers: sent, body, text }) => ({
      status,
      headers: new Headers(sent),
      body: body as unknown,
      text,
    }));
  };

  it.each([NAVIGATION, { Accept: HTML }])(
    'is a page when a person opens it in a browser: %j',
    async (headers) => {
      for (const { status, headers: sent, text } of await get(headers)) {
        expect([403, 404]).toContain(status);
        expect(sent.get('content-type')).toBe('text/html; charset=utf-8');
        expect(sent.get('content-security-policy')).toContain("default-src 'none'");
        expect(sent.get('cache-control')).toBe('no-store, no-transform');
        expect(text).toContain('This download link has expired');
        expect(text).not.toContain(ERROR);
      }
    },
  );

  it.each<Record<string, string>>([
    {},
    { Accept: '*/*' },
    { Accept: 'application/json' },
    { Accept: 'application/json, text/html;q=0.5' },
    { Accept: HTML, 'Sec-Fetch-Mode': 'cors' },
    { Accept: 'text/html;q=0' },
    { Accept: ',;q=,' },
  ])('is JSON for programs and scripts: %j', async (headers) => {
    for (const { status, body } of await get(headers))
      expect(body).toEqual({ error: status === 404 ? 'not-found' : ERROR });
  });

  it('is JSON for other methods and paths, whatever they accept', async () => {
    const browser = request(running.url);

    const posted = await browser.post('/files/x').set(NAVIGATION);
    const listed = await browser.get('/api/v2/pushes/active').set(NAVIGATION);

    expect(posted.body).toEqual({ error: 'not-found' });
    expect(listed.body).toEqual({ error: expect.any(String) });
  });
});

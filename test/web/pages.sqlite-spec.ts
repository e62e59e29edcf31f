import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';

const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const CSP =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';" +
  "form-action 'self';base-uri 'none';frame-ancestors 'none'";

describe('Pages', () => {
  const running = forAllTests(startApp);
  const pageClient = forEachTest(() => new PageClient(running.url));

  it.each(['/', '/users/sign_in', '/users/sign_up', '/nowhere', `/p/${UNKNOWN}`])(
    '%s has headers that forbid third-party content, without a nonce that could leak (E11)',
    async (path) => {
      const { headers } = await pageClient.get(path);

      expect(headers.get('content-security-policy')).toBe(CSP);
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('contain no inline script, style or event handler, and no URL of another site (E6)', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    for (const path of ['/', '/users/edit', '/users/token', '/pushes', '/nowhere']) {
      const { body } = await member.get(path);

      expect(body).not.toMatch(
        /<style|\sstyle=|\son\w+=|<script(?! type="application\/json"| type="module" src=")/,
      );
      expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
    }
  });

  it.each(['/users/sign_in', `/p/${UNKNOWN}`, '/pushes/nowhere'])(
    '%s is kept out of search engines (H6)',
    async (path) => {
      const { headers, body } = await pageClient.get(path);

      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
      expect(body).toContain('<meta name="robots" content="noindex, nofollow, noarchive"');
    },
  );

  it('have a robots.txt that allows only the front page (H6)', async () => {
    const { status, body } = await pageClient.get('/robots.txt');

    expect(status).toBe(200);
    expect(body).toBe('User-agent: *\nAllow: /$\nDisallow: /\n');
  });

  it('have a script with its digest, which a browser checks', async () => {
    const published = JSON.parse(readFileSync('dist/client/integrity.json', 'utf8'));
    const { pageClient: member } = await newSignedInUser(running);
    for (const path of ['/', '/users/edit', '/pushes', '/nowhere', '/api/docs', `/p/${UNKNOWN}`]) {
      const { body } = await member.get(path);
      const [, url = '', name = '', integrity] =
        /<script type="module" src="([^"]+\/([\w-]+\.js))" integrity="([^"]+)">/.exec(body) ?? [];
      const script = await fetch(running.url + url);
      const digest = createHash('sha384')
        .update(await script.text())
        .digest('base64');

      expect([path, integrity]).toEqual([path, `sha384-${digest}`]);
      expect(integrity).toBe(published[name]);
      expect(script.headers.get('content-security-policy')).toBe("default-src 'none'"); // applies to workers
    }
  });

  it('report errors as HTML, and the API reports them as JSON', async () => {
    const type = async (path: string, method = 'GET') => {
      const { status, headers } = await running.anonymous.send(method, path);
      return [status, headers.get('content-type')];
    };
    const page = 'text/html; charset=utf-8';
    const json = 'application/json; charset=utf-8';

    expect(await type('/nowhere')).toEqual([404, page]);
    expect(await type('/users/nowhere')).toEqual([404, page]);
    expect(await type('/p')).toEqual([404, page]);
    expect(await type('/users/sign_in', 'DELETE')).toEqual([404, page]);
    expect(await type('/assets/x/nothing.css')).toEqual([404, page]);
    expect(await type('/api/nowhere')).toEqual([404, json]);
    expect(await type('/api')).toEqual([200, json]);
    expect(await type(`/p/${UNKNOWN}.json`)).toEqual([404, json]);
    expect(await type(`/p/${UNKNOWN}.json`, 'POST')).toEqual([404, json]);
    expect(await type('/files/x')).toEqual([403, json]);
    expect(await type('/r.json', 'POST')).toEqual([401, json]);
  });

  it('do not echo the request (E1)', async () => {
    for (const path of [
      '/<script>alert(1)</script>',
      '/users/sign_in?next=<script>',
      '/users/sign_in?done=<script>',
    ]) {
      expect((await pageClient.get(path)).body).not.toContain('<script>');
    }
    expect((await pageClient.get('/pushes?page=<script>')).status).toBe(303);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing'])(
    'show no flash message for done=%s',
    async (name) => {
      const { pageClient: member } = await newSignedInUser(running);
      for (const [visitor, path] of [
        [pageClient, '/users/sign_in'],
        [member, '/users/edit'],
      ] as const) {
        const plain = await visitor.get(path);

        expect(plain.status).toBe(200);
        expect(await visitor.get(`${path}?done=${name}`)).toMatchObject({ status: 200, body: plain.body });
      }
    },
  );

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/users/sign_out', '/p/x/audit'])(
    'redirect only to our own pages after signing in, not to %j (D6)',
    async (next) => {
      const { email } = await newSignedInUser(running);
      const { headers } = await pageClient.post('/users/sign_in', {
        email,
        password: 'seven wide green rivers',
        next,
      });

      expect(headers.get('location')).toBe('/pushes');
    },
  );

  it('return to the requested page and its query after signing in', async () => {
    const { email } = await newSignedInUser(running);
    const asked = await pageClient.get('/pushes?search=a%26b&page=2');
    const form = (await pageClient.get(asked.headers.get('location') ?? '')).body;
    const next = /name="next" value="(\/pushes[^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';

    const { headers } = await pageClient.post('/users/sign_in', { email, password: PASSWORD, next });

    expect(headers.get('location')).toBe('/pushes?search=a%26b&page=2');
  });

  it('load styles and scripts that may be cached indefinitely, because their URL changes with their content', async () => {
    const { body } = await pageClient.get('/');
    const [, style = ''] = /href="([^"]+sealpush\.css)"/.exec(body) ?? [];

    const { status, headers } = await pageClient.get(style);

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable, no-transform');
    expect((await pageClient.get('/assets/old/sealpush.css')).headers.get('cache-control')).toBe(
      'no-store, no-transform',
    );
    expect((await pageClient.get('/favicon.ico')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it.each(['..%2Fmain.js', '..%2F..%2Fpackage.json', '%2Fetc%2Fpasswd', '__proto__', 'tsconfig.json'])(
    'serve no other file as an asset, such as %s (F1)',
    async (name) => {
      expect((await pageClient.get(`/assets/x/${name}`)).status).toBe(404);
    },
  );

  it('reject forms that are too large or broken', async () => {
    expect((await pageClient.post('/users/sign_in', { email: 'x'.repeat(70_000) })).status).toBe(413);
    const broken = await running.anonymous
      .with({ 'Content-Type': 'application/x-www-form-urlencoded' })
      .send('POST', '/users/sign_in', 'email=%E9');
    expect(broken.status).toBe(400);
  });
});

describe('Pages under load', () => {
  const running = forAllTests(() => startApp({ REQUESTS_PER_MINUTE: '3' }));

  it('are counted separately, and forms are limited by REQUESTS_PER_MINUTE', async () => {
    const pageClient = new PageClient(running.url);
    for (let i = 0; i < 10; i++) expect((await pageClient.get('/')).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await pageClient.post(`/p/${UNKNOWN}`)).status).toBe(404);

    const { status, headers, body } = await pageClient.post(`/p/${UNKNOWN}`);

    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toContain('Too many requests.');
  });
});

describe('Pages under a path prefix', () => {
  const running = forAllTests(() => startApp({ PUBLIC_URL: 'https://example.org/secrets' }));

  it('use the prefix in links and redirects', async () => {
    const pageClient = new PageClient(running.url);
    const { body } = await pageClient.get('/');

    expect(body).toContain('href="/secrets/users/sign_in"');
    expect(body).toContain('action="/secrets/"');
    expect(body).toMatch(/src="\/secrets\/assets\/\w+\/home\.js"/);
    expect((await pageClient.get('/pushes')).headers.get('location')).toBe(
      '/secrets/users/sign_in?next=%2Fpushes',
    );
  });
});

import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startApp } from '../support/start-app.js';
import { PASSWORD } from '../support/page-client.js';
import { PLAIN_HOST } from './support/browser.js';
import { startSite } from './support/site.js';
import { forThisTest } from '../support/for-tests.js';

describe('In a real browser', () => {
  const { running, meet } = startSite({ expected: /./ });
  let evil: Server;
  /** What the other site has been told, by the path that was asked for. */
  const referrers = new Map<string, string>();

  beforeAll(async () => {
    evil = createServer((request, response) => {
      referrers.set(request.url ?? '', request.headers.referer ?? '');
      const target = new URL(`http://x${request.url ?? ''}`).searchParams.get('target') ?? '';
      response.setHeader('Content-Type', 'text/html');
      response.end(
        request.url?.startsWith('/frame')
          ? `<iframe src="${target}"></iframe>`
          : `<form method="post" action="${target}"><input name="password" value="${PASSWORD}"><button>Win</button></form>`,
      );
    });
    evil.listen(0, '127.0.0.1');
    await once(evil, 'listening');
  });
  afterAll(() => {
    evil.close();
  });

  const evilUrl = () => `http://localhost:${(evil.address() as AddressInfo).port}`;
  const plainUrl = () => running.url.replace('127.0.0.1', PLAIN_HOST);

  it.each([
    ['on localhost', () => running.url],
    ['without TLS', plainUrl],
  ])('a form of another site has no effect %s (D2)', async (_, url) => {
    const person = await meet({}, url());
    await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
    for (const path of ['/users/edit/delete', '/users/sign_out_everywhere', '/users/sign_in']) {
      await person.visit(`${evilUrl()}/?target=${encodeURIComponent(url() + path)}`);
      await person.press('Win');
      await person.waitForHeading('Not allowed');
    }

    await person.visit('/users/edit');
    expect(await person.heading()).toBe('Your account');
  });

  it.each([true, false])(
    'our own forms work without TLS as well, with scripts: %s',
    async (javaScriptEnabled) => {
      const person = await meet({ javaScriptEnabled }, plainUrl());

      await person.signUpAndIn(`${randomUUID()}@example.org`, PASSWORD);
      await person.visit('/');
      await person.page.locator('#payload').fill('correct horse');
      const link = await person.createLink();
      expect(link.startsWith(plainUrl())).toBe(true);
      await person.showSecret(link);

      expect(await person.page.locator('#secret').textContent()).toBe('correct horse');
      expect(person.errors).toEqual([]);
    },
  );

  it.each([true, false])(
    'our forms name their page and other sites are told none, with scripts: %s (D2, H1)',
    async (javaScriptEnabled) => {
      const person = await meet({ javaScriptEnabled }, plainUrl());
      const { url_token } = await running.anonymous.push({ payload: 'tulip', retrieval_step: true });
      const posted = person.page.waitForRequest((request) => request.method() === 'POST');

      await person.showSecret(`/p/${url_token}/r`);
      const headers = await (await posted).allHeaders();
      await person.page.evaluate(`location.href = '${evilUrl()}/left'`);
      await person.page.waitForURL('**/left');

      expect([headers['sec-fetch-site'], headers.origin]).toEqual([undefined, plainUrl()]);
      expect(referrers.get('/left')).toBe('');
    },
  );

  it('forms of a page without TLS name the address with TLS', async () => {
    const secure = await forThisTest(startApp({ PUBLIC_URL: 'https://push.example.org' }));
    const { url_token } = await secure.anonymous.push({ payload: 'tulip', retrieval_step: true });
    for (const javaScriptEnabled of [true, false]) {
      const person = await meet({ javaScriptEnabled }, secure.url.replace('127.0.0.1', PLAIN_HOST));
      const expectAdvice = () =>
        person.page
          .getByRole('main')
          .filter({ hasText: /opened without encryption.*https:\/\/push\.example\.org/ })
          .waitFor();

      await person.visit('/users/sign_in');
      await person.fill({ Email: 'ann@example.org', Password: PASSWORD });
      await person.press('Sign in');
      await expectAdvice();
      await person.visit(`/p/${url_token}/r`);
      await person.press('Open');
      await expectAdvice();
      await person.visit('/');
      await person.page.locator('#payload').fill('correct horse');
      await person.press('Create link');
      await expectAdvice();
    }
  });

  it('other sites cannot show our pages in a frame', async () => {
    const person = await meet();
    await person.visit(`${evilUrl()}/frame?target=${encodeURIComponent(running.url)}`);

    expect(await person.page.frameLocator('iframe').getByText('Share a secret').count()).toBe(0);
    expect(person.errors.join()).toContain("frame-ancestors 'none'");
  });
});

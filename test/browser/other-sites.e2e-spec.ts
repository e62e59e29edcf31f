import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PASSWORD } from '../support/page-client.js';
import { PLAIN_HOST } from './support/browser.js';
import { startSite } from './support/site.js';

describe('In a real browser', () => {
  const { running, meet } = startSite({ expected: /./ });
  let evil: Server;

  beforeAll(async () => {
    evil = createServer((request, response) => {
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
      await person.press('Create link');
      await person.waitForHeading('Your link is ready');
      const link = await person.page.locator('#link').inputValue();
      expect(link.startsWith(plainUrl())).toBe(true);
      await person.visit(link);
      await person.press('Open');
      await person.waitForHeading('Here is the secret');

      expect(await person.page.locator('#secret').textContent()).toBe('correct horse');
      expect(person.errors).toEqual([]);
    },
  );

  it('other sites cannot show our pages in a frame', async () => {
    const person = await meet();
    await person.visit(`${evilUrl()}/frame?target=${encodeURIComponent(running.url)}`);

    expect(await person.page.frameLocator('iframe').getByText('Share a secret').count()).toBe(0);
    expect(person.errors.join()).toContain("frame-ancestors 'none'");
  });
});

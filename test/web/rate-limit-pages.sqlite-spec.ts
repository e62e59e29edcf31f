import { forThisTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const LIMIT = 5;
const UNKNOWN = 'a'.repeat(43);

describe('PAGE_REQUESTS_PER_MINUTE', () => {
  let running: RunningApp;

  const start = (env: Record<string, string> = {}) =>
    forThisTest(
      startApp({
        ...{ REQUESTS_PER_MINUTE: '2', PAGE_REQUESTS_PER_MINUTE: String(LIMIT) },
        TRUSTED_PROXIES: '127.0.0.1',
        ...env,
      }),
    );
  const ask = (path: string, method = 'GET', address = '192.0.2.1') =>
    sendRaw(running.url, { method, path, headers: { 'X-Forwarded-For': address } });
  const statusesOf = async (paths: string[], method?: string) => {
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await ask(path, method)).status);
    return statuses;
  };
  const exhaust = () => statusesOf(Array<string>(LIMIT).fill('/'));

  it('rejects further pages to an address above the limit, with an error page (L8)', async () => {
    running = await start();
    expect(await exhaust()).toEqual(Array(LIMIT).fill(200));
    const { status, headers, body } = await ask('/');

    expect(status).toBe(429);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(Number(headers['retry-after'])).toBeGreaterThan(30);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(body).toContain('Too many requests.');
    expect((await ask('/', 'GET', '192.0.2.2')).status).toBe(200);
  });

  it('counts all pages and spellings together, including 404s and HEAD (L8)', async () => {
    running = await start();
    await statusesOf(['/?n=1', '//users//sign_in/', `/p/${UNKNOWN}`, '/api_tokens']);
    await statusesOf(['/'], 'HEAD');

    const pages = [
      '/',
      '/users/sign_in',
      '/users/sign_up',
      '/pushes',
      `/p/${UNKNOWN}/preview`,
      `/f/${UNKNOWN}`,
    ];
    expect(await statusesOf(pages)).toEqual(pages.map(() => 429));
    expect(await statusesOf(pages, 'HEAD')).toEqual(pages.map(() => 429));
  });

  it('counts pages separately from the API and from forms', async () => {
    running = await start();
    await exhaust();

    expect(await statusesOf(['/api/v2/version', '/api/v2/version', '/api/v2/version'])).toEqual([
      200, 200, 429,
    ]);
    expect((await ask(`/p/${UNKNOWN}`, 'POST')).status).toBe(429);
    expect((await ask('/', 'GET', '192.0.2.2')).status).toBe(200);
  });

  it('rejects the form of a sender unread, and says how to send it again', async () => {
    running = await start();
    await statusesOf(['/', '/'], 'POST');
    const { status, body } = await ask('/', 'POST');

    expect(status).toBe(429);
    expect(body).toMatch(/Wait \d+ seconds, then reload this page/);
    expect((await ask('/language', 'POST')).body).not.toContain('reload this page');
  });

  it('does not count styles, scripts, images and health checks', async () => {
    running = await start();
    const { body } = await ask('/');
    const assets = [...String(body).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(2);
    const free = [...assets, '/favicon.ico', '/robots.txt', '/up', '/ready'];
    for (let i = 0; i < 3; i++) expect(await statusesOf(free)).toEqual(free.map(() => 200));

    await exhaust();
    expect(await statusesOf(free)).toEqual(free.map(() => 200));
  });

  it.each(['REQUESTS_PER_MINUTE', 'PAGE_REQUESTS_PER_MINUTE'])('is off where %s is 0', async (setting) => {
    running = await start({ [setting]: '0' });

    expect(await statusesOf(Array<string>(4 * LIMIT).fill('/'))).toEqual(Array(4 * LIMIT).fill(200));
  });
});

import { forThisTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const LIMIT = 5;

describe('REQUESTS_PER_MINUTE', () => {
  let running: RunningApp;

  const start = (env: Record<string, string> = {}) =>
    forThisTest(startApp({ REQUESTS_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1', ...env }));
  const ask = (address: string, path = '/api/v2/version', method = 'GET') =>
    sendRaw(running.url, { method, path, headers: { 'X-Forwarded-For': address } });
  const exhaust = async (address: string) => {
    for (let i = 0; i < LIMIT; i++) expect((await ask(address)).status).toBe(200);
  };

  it('makes an address wait after more requests', async () => {
    running = await start();
    await exhaust('192.0.2.1');
    const { status, headers, body } = await ask('192.0.2.1');

    expect(status).toBe(429);
    expect(body).toEqual({ error: 'Too many requests. Try again later.' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('counts all paths, methods and path forms together (B3, I1, I9)', async () => {
    running = await start();
    await ask('192.0.2.1', '/api/v2/version?n=1');
    await ask('192.0.2.1', '/api/v2/version.json');
    await ask('192.0.2.1', '/api/v2/pushes/unknown');
    await ask('192.0.2.1', '/api/v2/pushes/active');
    await ask('192.0.2.1', '/api/v2/pushes', 'POST');

    for (const path of [
      '/api',
      '/api//v2/version/?n=2',
      '/api/v2/pushes/other',
      '/api/v2/pushes/x/preview',
    ]) {
      expect((await ask('192.0.2.1', path)).status).toBe(429);
    }
    expect((await ask('192.0.2.1', '/api/v2/pushes/x', 'HEAD')).status).toBe(429);
    expect((await ask('192.0.2.1', '/api/v2/pushes', 'POST')).status).toBe(429);
  });

  it('counts each address separately', async () => {
    running = await start();
    await exhaust('192.0.2.1');

    expect((await ask('192.0.2.1')).status).toBe(429);
    expect((await ask('::ffff:192.0.2.1')).status).toBe(429);
    expect((await ask('192.0.2.2')).status).toBe(200);
  });

  it('counts the addresses of one IPv6 site together (B2)', async () => {
    running = await start();
    for (let i = 1; i <= LIMIT; i++) await ask(`2001:db8:1:2::${i}`);

    expect((await ask('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await ask('2001:db8:1:3::1')).status).toBe(200);
  });

  it('counts the sites of an IPv6 /48 together, with ten times the limit (L11)', async () => {
    running = await start();
    const statuses: number[] = [];
    for (let i = 1; i <= 10 * LIMIT + 2; i++) statuses.push((await ask(`2001:db8:1:${i}::1`)).status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(10 * LIMIT);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect((await ask('2001:db8:2:1::1')).status).toBe(200);
  });

  it('does not let one site use up the limit of its neighbours (L11)', async () => {
    running = await start();
    for (let i = 0; i < 10 * LIMIT; i++) await ask('2001:db8:1:1::1');

    expect((await ask('2001:db8:1:1::1')).status).toBe(429);
    expect((await ask('2001:db8:1:2::1')).status).toBe(200);
  });

  it('ignores addresses that an untrusted client forwards (B2)', async () => {
    running = await start({ TRUSTED_PROXIES: '10.0.0.1' });
    for (let i = 1; i <= LIMIT; i++) await ask(`192.0.2.${i}`);

    expect((await ask('192.0.2.99')).status).toBe(429);
  });

  it('counts requests with wrong tokens, before tokens are checked', async () => {
    running = await start();
    const { token } = await running.newUser();
    const withToken = (given: string) =>
      running.anonymous.with({ Authorization: `Bearer ${given}` }).get('/api/v2/pushes/active');
    for (let i = 0; i < LIMIT; i++) expect((await withToken('wrong')).status).toBe(401);

    expect((await withToken('wrong')).status).toBe(429);
    expect((await withToken(token)).status).toBe(429);
  });

  it('counts no view for a rejected request', async () => {
    running = await start();
    const { url_token: urlToken } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
    await exhaust('192.0.2.1');

    expect((await ask('192.0.2.1', `/api/v2/pushes/${urlToken}`)).status).toBe(429);
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });

  it('is off at 0', async () => {
    running = await start({ REQUESTS_PER_MINUTE: '0' });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('192.0.2.1')));

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

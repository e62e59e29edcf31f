import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const FORWARDED = {
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Host': 'push.example.org',
  'X-Forwarded-Proto': 'https',
};
const NEVER_HEARD = {
  Forwarded: 'for=192.0.2.8;host=evil.example;proto=https',
  'X-Forwarded-Port': '8443',
  'X-Forwarded-Server': 'evil.example',
  'X-Host': 'evil.example',
  'X-Real-IP': '192.0.2.9',
  'Client-IP': '192.0.2.10',
  'True-Client-IP': '192.0.2.11',
};

describe('The base URL', () => {
  let running: RunningApp;

  const start = async (env: Record<string, string> = {}) => (running = await forThisTest(startApp(env)));
  const visit = (headers: Record<string, string>, url?: string) => visitTo(running, headers, url);

  it('is that of the request, and the client is the peer, despite forwarding headers (B2, D4)', async () => {
    await start();

    expect(await visit({ ...FORWARDED, ...NEVER_HEARD })).toEqual({ address: running.url, ip: '127.0.0.1' });
  });

  it('cannot be set by an untrusted peer (B2, D4)', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7' });

    expect(await visit({ ...FORWARDED, ...NEVER_HEARD })).toEqual({ address: running.url, ip: '127.0.0.1' });
  });

  it('and the client are those that a trusted proxy reports', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.0/8' });

    expect(await visit({ ...FORWARDED, ...NEVER_HEARD })).toEqual({
      address: 'https://push.example.org',
      ip: '192.0.2.7',
    });
  });

  it('comes with the last forwarded address that is not a trusted proxy as the client (B2)', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1 10.0.0.0/8' });
    const ipFor = async (chain: string) => (await visit({ 'X-Forwarded-For': chain })).ip;

    expect(await ipFor('198.51.100.1, 192.0.2.7')).toBe('192.0.2.7');
    expect(await ipFor('198.51.100.1, 192.0.2.7, 10.1.2.3')).toBe('192.0.2.7');
    expect(await ipFor('10.9.9.9, 192.0.2.7, 10.1.2.3')).toBe('192.0.2.7');
    expect(await ipFor('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(await ipFor('2001:DB8::1')).toBe('2001:db8::1');
  });

  it('is PUBLIC_URL if that is set, whatever the request headers are (D4)', async () => {
    await start({ PUBLIC_URL: 'https://push.example.org/', TRUSTED_PROXIES: '127.0.0.1' });
    const poisoned = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
    };

    expect((await visit(poisoned)).address).toBe('https://push.example.org');
  });

  it('can have a path', async () => {
    await start({ PUBLIC_URL: 'http://example.org:8080/push' });

    expect((await visit({})).address).toBe('http://example.org:8080/push');
  });

  describe('of a server that listens on IPv6 too', () => {
    it.each([
      [
        'can be set by a trusted proxy that connects over IPv4',
        '127.0.0.1',
        'https://push.example.org',
        '192.0.2.7',
      ],
      ['cannot be set by another peer', '192.0.2.1', undefined, '127.0.0.1'],
    ])('%s', async (_name, TRUSTED_PROXIES, address, ip) => {
      await start({ TRUSTED_PROXIES });
      const server = createServer(running.app.getHttpAdapter().getInstance());
      await once(server.listen(0, '::'), 'listening');
      await forThisTest(Promise.resolve(server));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

      expect(await visit(FORWARDED, url)).toEqual({ address: address ?? url, ip });
    });
  });
});

describe('The base URL behind a trusted proxy', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));

  it.each(['unknown', '<script>', '192.0.2.7:8080', '999.1.1.1', ' ', ','])(
    'comes with the peer as the client if a trusted proxy forwards "%s" (E10)',
    async (chain) => {
      expect((await visitTo(running, { 'X-Forwarded-For': chain })).ip).toBe('127.0.0.1');
    },
  );

  it.each([
    ['evil.example/path'],
    ['evil@example.org'],
    ['a b'],
    ['"><script>'],
    ['example.org:port'],
    ['example.org:123456'],
    ['example.org:99999'],
    ['999.1.1.1'],
    ['[::::]'],
    ['[::1'],
    ['\u00e9.example'],
    ['example.org#'],
  ])('is never built from the Host %j (D4)', async (host) => {
    const { url_token: urlToken } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });

    for (const header of ['Host', 'X-Forwarded-Host']) {
      const headers = { [header]: host };
      for (const path of ['/api', `/api/v2/pushes/${urlToken}`, `/api/v2/pushes/${urlToken}/preview`]) {
        expect(await sendRaw(running.url, { path, headers })).toMatchObject({
          status: 400,
          body: { error: 'The Host header is not well-formed.' },
        });
      }
    }
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });
});

describe('The base URL without a proxy', () => {
  const running = forAllTests(startApp);

  it.each(['push.example.org', 'PUSH.example.org:8443', '192.0.2.1:80', '[2001:db8::1]:80', 'localhost'])(
    'can be built from the Host %s',
    async (host) => {
      expect((await visitTo(running, { Host: host })).address).toBe(`http://${host}`);
    },
  );
});

/** The base URL in responses to a client with these headers, and its address in the audit log. */
async function visitTo(
  running: RunningApp,
  headers: Record<string, string>,
  url = running.url,
): Promise<{ address: string; ip: string }> {
  const { token, client } = await running.newUser();
  const { body: push } = await sendRaw(url, {
    method: 'POST',
    path: '/api/v2/pushes',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
    body: '{"push":{"payload":"tulip"}}',
  });
  const path = `/api/v2/pushes/${push.url_token}`;
  const { body: api } = await sendRaw(url, { path: '/api', headers });
  const { body: preview } = await sendRaw(url, { path: `${path}/preview`, headers });
  const { logs } = (await client.get(`${path}/audit`)).body;

  expect(push.json_url).toBe(`${push.html_url.replace('/p/', '/api/v2/pushes/')}`);
  expect(preview.url).toBe(push.html_url);
  expect(`${api.v2}/pushes/${push.url_token}`).toBe(push.json_url);
  return { address: push.html_url.replace(/\/p\/[\w-]+$/, ''), ip: logs[0].ip };
}

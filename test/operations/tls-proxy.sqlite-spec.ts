import { forThisTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { nginx } from '../support/nginx.js';
import type { TlsProxy } from '../support/tls-proxy.js';
import { startTlsProxy } from '../support/tls-proxy.js';

const HOST = 'push.example.org';
const CLIENT = '127.0.0.2';
const FILE = Buffer.alloc(300_000, 'tulip');

/** Headers that a client could forge to manipulate links or to hide its address. */
const CLAIMS = {
  'X-Forwarded-For': '203.0.113.9',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  Forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
  'X-Real-IP': '203.0.113.9',
};

const hasNginx = nginx.path !== undefined;
if (!hasNginx) console.error('!!! NO NGINX: not tested behind a proxy that terminates TLS !!!');

(hasNginx ? describe : describe.skip)('Behind a proxy that terminates TLS', () => {
  let running: RunningApp;
  let proxy: TlsProxy;
  let owner: TestUser;

  const start = async (env: Record<string, string>) => {
    running = await forThisTest(startApp(env));
    owner = await running.newUser();
    proxy = await forThisTest(startTlsProxy(nginx, 'nginx.conf', HOST, running.url));
  };

  /** The origins of all URLs that the API returns, and the IP addresses in the audit log. */
  const useAll = async (headers: Record<string, string> = {}) => {
    const send = (method: string, path: string, body?: string | Buffer, type = 'application/json') =>
      proxy.send(method, path, {
        headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': type, ...headers },
        body,
        from: CLIENT,
      });
    const form = Buffer.concat([
      Buffer.from(
        '--b\r\nContent-Disposition: form-data; name="password[files][]"; filename="a.txt"\r\n\r\n',
      ),
      FILE,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const { status, body: made } = await send('POST', '/p.json', form, 'multipart/form-data; boundary=b');
    expect(status).toBe(201);
    const { body: read } = await send('GET', `/p/${made.url_token}.json`);
    const { body: preview } = await send('GET', `/api/v2/pushes/${made.url_token}/preview`);
    const { body: audit } = await send('GET', `/p/${made.url_token}/audit.json`);
    const { headers: listHeaders } = await send('GET', '/p/active.json');
    const { headers: list2Headers } = await send('GET', '/api/v2/pushes/active');
    const { body: introduction } = await send('GET', '/api');
    const fileUrl = new URL(read.files[0].url as string);
    const download = await proxy.send('GET', fileUrl.pathname, { headers, from: CLIENT });
    expect(download.bytes.equals(FILE)).toBe(true);

    const links = [listHeaders.link, list2Headers.link].flatMap((link) => [
      ...String(link).matchAll(/<([^>]+)>/g),
    ]);
    const urls = [made.html_url, made.json_url, read.html_url, read.json_url, fileUrl.href, preview.url];
    const addresses = [...urls, ...links.map(([, url]) => url), introduction.v1].map(
      (url: string) => URL.parse(url)?.origin,
    );
    return {
      addresses: [...new Set(addresses)],
      ips: [...new Set(audit.views.map(({ ip }: { ip: string }) => ip))],
    };
  };

  it('links use the proxy’s origin, and visitors have the addresses that the proxy forwards', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });

    expect(await useAll()).toEqual({ addresses: [`https://${HOST}`], ips: [CLIENT] });
  });

  it('a client cannot forge its address or the origin of links (B2, D4)', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });

    expect(await useAll(CLAIMS)).toEqual({ addresses: [`https://${HOST}`], ips: [CLIENT] });
  });

  it('headers of an untrusted proxy are ignored (B2, D4)', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.0/8' });

    expect(await useAll(CLAIMS)).toEqual({ addresses: [`http://${HOST}`], ips: ['127.0.0.1'] });
  });

  it('headers of a client that bypasses the trusted proxy are ignored (B2, D4)', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.3' });
    const headers = { ...CLAIMS, 'X-Forwarded-Proto': 'https', 'Content-Type': 'application/json' };
    const { body } = await sendRaw(running.url, {
      method: 'POST',
      path: '/p.json',
      headers: { ...headers, Authorization: `Bearer ${owner.token}` },
      body: '{"password":{"payload":"tulip"}}',
    });
    const { body: audit } = await owner.client.get(`/p/${body.url_token}/audit.json`);

    expect(body.html_url).toBe(`${running.url}/p/${body.url_token}`);
    expect(audit.views).toMatchObject([{ ip: '127.0.0.1' }]);
  });

  it.each(['127.0.0.1', '10.0.0.0/8'])(
    'PUBLIC_URL takes precedence when %s is trusted',
    async (TRUSTED_PROXIES) => {
      await start({ TRUSTED_PROXIES, PUBLIC_URL: 'https://secrets.example.com:8443' });
      const { addresses, ips } = await useAll(CLAIMS);

      expect(addresses).toEqual(['https://secrets.example.com:8443']);
      expect(ips).toEqual([TRUSTED_PROXIES === '127.0.0.1' ? CLIENT : '127.0.0.1']);
    },
  );

  it('limits the rate of each visitor separately', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1', REQUESTS_PER_MINUTE: '1' });
    const ask = async (from: string) => (await proxy.send('GET', '/p/unknown.json', { from })).status;

    expect(await ask('127.0.0.2')).toBe(404);
    expect(await ask('127.0.0.2')).toBe(429);
    expect(await ask('127.0.0.3')).toBe(404);
  });
});

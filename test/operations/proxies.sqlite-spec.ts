import { connect } from 'node:http2';
import { once } from 'node:events';
import { OWN_PATHS } from '../../src/platform/settings/parse-public-url.js';
import { forAllTests } from '../support/for-tests.js';
import { newSignedInUser, PASSWORD } from '../support/page-client.js';
import { freePort } from '../support/free-port.js';
import { nginx } from '../support/nginx.js';
import { startApp } from '../support/start-app.js';
import type { ProxyProgram, TlsProxy } from '../support/tls-proxy.js';
import { startTlsProxy } from '../support/tls-proxy.js';
import { pathOfProgram } from '../support/find-program.js';

/** Caddy with one of our files, and a certificate of the test. */
const caddy: ProxyProgram = {
  path: pathOfProgram('caddy', ['/usr/sbin']),
  ready: 'serving initial configuration',
  command: ['run', '--config', 'config', '--adapter', 'caddyfile'],
  adapt: (file, { folder, port, portInClear, upstream }) =>
    file
      .replace(
        '\n{\n',
        `\n{\nadmin off\nhttp_port ${portInClear}\nhttps_port ${port}\ndefault_bind 127.0.0.1\n`,
      )
      .replaceAll('\t# tls ', '\ttls ')
      .replaceAll('127.0.0.1:5100', upstream)
      .replaceAll('/var/www/html', `${folder}/www`)
      .replaceAll(/\/etc\/ssl\/[\w.]+/g, folder),
};

const HOST = 'push.example.org';
const VISITOR = '127.0.0.2';
const PASSPHRASE = 'geheimnis';
/** Proxies limit bodies to 1 MiB, or write longer ones to the disk, unless they are told otherwise. */
const FILE = Buffer.alloc(20_000_000, 'tulips and roses');
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORGED = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' };

if (nginx.path === undefined) console.error('!!! NO NGINX: its files in deploy/proxies are not tested !!!');
if (caddy.path === undefined) console.error('!!! NO CADDY: its files in deploy/proxies are not tested !!!');

const multipart = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a.bin"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--b--\r\n'),
  ]);

describe.each<[file: string, program: ProxyProgram, logged: string]>([
  ['nginx.conf', nginx, ' GET PATH '],
  ['Caddyfile', caddy, '"uri":"PATH"'],
])('deploy/proxies/%s', (file, program, logged) => {
  const test = program.path === undefined ? it.skip : it;
  const running = forAllTests(() =>
    startApp({ PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXIES: '127.0.0.1' }),
  );
  const owner = forAllTests(() => running.newUser());
  const authorization = forAllTests(() => ({ Authorization: `Bearer ${owner.token}` }));
  let proxy: TlsProxy;

  if (program.path !== undefined) proxy = forAllTests(() => startTlsProxy(program, file, HOST, running.url));

  const create = async (fields: object) =>
    proxy.send('POST', '/api/v2/pushes', {
      headers: { ...authorization, ...JSON_TYPE },
      body: JSON.stringify({ push: fields }),
    });
  const upload = (bytes: Buffer) =>
    proxy.send('POST', '/api/v2/pushes', {
      headers: { ...authorization, 'Content-Type': 'multipart/form-data; boundary=b' },
      body: multipart(bytes),
    });

  test('links have the public address, and visitors have their own, whatever they claim (B2, D4)', async () => {
    const { status, body: push } = await create({ payload: 'tulip' });
    const { body } = await proxy.send('GET', `/api/v2/pushes/${push.url_token}`, {
      headers: FORGED,
      from: VISITOR,
    });
    const { body: audit } = await owner.client.get(`/api/v2/pushes/${push.url_token}/audit`);

    expect([status, body.payload]).toEqual([201, 'tulip']);
    expect(push.html_url).toBe(`https://${HOST}/p/${push.url_token}`);
    expect(audit.logs.map(({ ip }: { ip: string }) => ip).toSorted()).toEqual(['127.0.0.1', VISITOR]);
  });

  test('passes files of any length, and parts of them', async () => {
    const { status, body: push } = await upload(FILE);
    const { body } = await proxy.send('GET', `/api/v2/pushes/${push.url_token}`);
    const { pathname } = new URL(body.files[0].url as string);
    const part = await proxy.send('GET', pathname, { headers: { Range: 'bytes=9999998-10000005' } });
    const whole = await proxy.send('GET', pathname);

    expect(status).toBe(201);
    expect([part.status, part.bytes.toString()]).toEqual([206, FILE.toString('latin1', 9999998, 10000006)]);
    expect(whole.bytes.equals(FILE)).toBe(true);
  });

  test('passes bodies on as they arrive, and the response before their end', async () => {
    const half = { body: multipart(FILE).subarray(0, 1000), unfinished: true };
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const send = (length: number, more: Record<string, string>) =>
      proxy.send('POST', '/api/v2/pushes', {
        ...half,
        headers: { ...headers, ...more, 'Content-Length': String(length) },
      });

    expect((await send(FILE.length, { Authorization: 'Bearer wrong' })).status).toBe(401);
    expect(await send(300 * 1024 * 1024, authorization)).toMatchObject({
      status: 422,
      body: { files: ['must have at most 262144000 bytes in all'] },
    });
  });

  test('speaks HTTP/2, and changes neither pages nor their headers', async () => {
    const session = connect(`https://127.0.0.1:${proxy.port}`, { ca: proxy.certificate, servername: HOST });
    const stream = session.request({
      ':path': '/how-it-works',
      ':authority': HOST,
      'accept-encoding': 'gzip, br',
    });
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    const chunks = await stream.toArray();
    session.close();
    const { headers: own, body } = await running.anonymous.with({ Host: HOST }).get('/how-it-works');

    expect(Buffer.concat(chunks).toString()).toBe(body);
    for (const name of [
      'content-security-policy',
      'cache-control',
      'strict-transport-security',
      'content-encoding',
    ])
      expect([name, headers[name] ?? null]).toEqual([name, own.get(name)]);
  });

  test('keeps its connection to the service for the next visitor', async () => {
    let opened = 0;
    const count = () => (opened += 1);
    const server = running.app.getHttpServer();
    server.on('connection', count);
    for (let visitor = 0; visitor < 10; visitor++) await proxy.send('GET', '/up');
    server.off('connection', count);

    expect(opened).toBeLessThan(2);
  });

  test('signs in with a cookie for TLS', async () => {
    const { email } = await newSignedInUser(running);
    const { status, headers } = await proxy.send('POST', '/users/sign_in', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ email, password: PASSWORD }).toString(),
    });
    const [cookie = ''] = headers['set-cookie'] ?? [];
    const page = await proxy.send('GET', '/users/edit', { headers: { Cookie: cookie.split(';')[0] ?? '' } });

    expect([status, headers.location]).toEqual([303, '/pushes']);
    expect(cookie).toMatch(/^__Host-sealpush=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect([page.status, page.body.includes(email)]).toEqual([200, true]);
  });

  test('logs neither tokens nor passphrases, not even when the service is down (B10, H1, M10)', async () => {
    const { body: push } = await create({ payload: 'tulip', passphrase: PASSPHRASE });
    const { body: withFile } = await upload(Buffer.from('tulips'));
    const { body } = await proxy.send('GET', `/api/v2/pushes/${withFile.url_token}`);
    const token = push.url_token as string;
    const download = new URL(body.files[0].url as string).pathname;
    const down = await startTlsProxy(program, file, HOST, `http://127.0.0.1:${await freePort()}`);
    const query = `?passphrase=${PASSPHRASE}`;
    const paths = ['', '/en', '/']
      .flatMap((start) => [`${start}/p/${token}`, `${start}/p/${token}.json`, `${start}/f/${token}/r`])
      .concat(
        `/api/v2/pushes/${token}`,
        `/api/v1/pushes/${token}/audit`,
        `/${token}`,
        `/p%2F${token}`,
        download,
      );
    const headers = {
      ...authorization,
      Referer: `https://${HOST}/p/${token}${query}`,
      'X-Push-Passphrase': PASSPHRASE,
    };

    for (const path of paths) {
      await proxy.send('GET', path + query, { headers });
      expect((await down.send('GET', path + query, { headers })).status).toBe(502);
      const inClear = await proxy.send('GET', path + query, { headers, inClear: true });
      expect([301, 308]).toContain(inClear.status);
    }
    const logs = (await proxy.logs()) + (await down.logs());
    await down.stop();

    expect(logs).toContain(logged.replace('PATH', '/api/v2/pushes'));
    expect(logs).toMatch(/502/);
    for (const secret of [
      token,
      withFile.url_token as string,
      download.slice(7, 40),
      PASSPHRASE,
      owner.token,
    ])
      expect(logs.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  });

  test('logs which page was requested, without what follows in its path and query (H1)', async () => {
    for (const name of OWN_PATHS) await proxy.send('GET', `/${name}/${PASSPHRASE}?code=${PASSPHRASE}`);
    const logs = await proxy.logs();

    expect(OWN_PATHS.filter((name) => !logs.includes(logged.replace('PATH', `/${name}`)))).toEqual([]);
    expect(logs).not.toContain(PASSPHRASE);
  });
});

describe.each<[string, ProxyProgram]>([
  ['nginx-sub-path.conf', nginx],
  ['sub-path.Caddyfile', caddy],
])('deploy/proxies/%s', (file, program) => {
  const test = program.path === undefined ? it.skip : it;
  const running = forAllTests(() =>
    startApp({ PUBLIC_URL: 'https://example.org/push', TRUSTED_PROXIES: '127.0.0.1' }),
  );

  test('leads to Sealpush below the path only, and logs nothing of links (B10, H1)', async () => {
    const push = await running.anonymous.push({ payload: 'tulip' });
    const token = push.url_token as string;
    const proxy = await startTlsProxy(program, file, 'example.org', running.url);
    const down = await startTlsProxy(program, file, 'example.org', `http://127.0.0.1:${await freePort()}`);
    const statusOf = async (path: string) => (await proxy.send('GET', path)).status;

    expect((await proxy.send('GET', `/push/p/${token}.json?passphrase=${PASSPHRASE}`)).body.payload).toBe(
      'tulip',
    );
    expect((await down.send('GET', `//push/p/${token}?passphrase=${PASSPHRASE}`)).status).toBe(502);
    expect(await statusOf('/push/up')).toBe(200);
    expect([200, 301]).toContain(await statusOf('/push'));
    expect([await statusOf('/up'), await statusOf('/pushing'), await statusOf('/')]).toEqual([404, 404, 404]);
    const logs = (await proxy.logs()) + (await down.logs());
    await Promise.all([proxy.stop(), down.stop()]);

    expect(logs).not.toContain(token);
    expect(logs).not.toContain(PASSPHRASE);
    expect(logs).toContain('/pushing'); // those of other applications are logged
  });
});

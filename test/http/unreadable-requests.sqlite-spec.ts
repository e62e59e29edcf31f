import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { forAllTests } from '../support/for-tests.js';
import { connectTo, requestBytes, sendBytes } from '../support/plain-socket.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

/** Sends bytes that need not be HTTP; returns the first line and the body of the response. */
async function sendText(url: string, bytes: string): Promise<{ line: string; body: string }> {
  const socket = connectTo(url);
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket).catch(() => '')).split('\r\n\r\n');
  return { line: head.split('\r\n')[0] ?? '', body };
}

describe('A request that cannot be read', () => {
  afterAll(async () => {
    expect((await running.anonymous.get('/api/v2/version')).status).toBe(200); // before the app stops
  });
  const running = forAllTests(startApp);

  it.each([
    ['is not HTTP', 'tulip\r\n\r\n'],
    ['is TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'has two lengths',
      'POST /api/v2/pushes HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'has a length and chunks (request smuggling)',
      'POST /api/v2/pushes HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['has a header without a name', 'GET /api HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    ['requests a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'],
    ['has a space in its address', 'GET /api/v2/pushes/a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('because it %s is rejected with 400', async (_name, bytes) => {
    expect(await sendText(running.url, bytes)).toEqual({
      line: 'HTTP/1.1 400 Bad Request',
      body: '{"error":"The request cannot be read: Bad Request."}',
    });
  });

  it('because it has no Host is rejected with 400', async () => {
    const { line } = await sendText(running.url, 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n');

    expect(line).toBe('HTTP/1.1 400 Bad Request');
  });

  it.each([
    ['address', { path: `/api/v2/pushes/${'a'.repeat(20_000)}` }],
    ['query', { path: `/api/v2/version?passphrase=${'a'.repeat(20_000)}` }],
    ['header', { path: '/api/v2/version', headers: { 'X-Long': 'a'.repeat(20_000) } }],
    ['token', { path: '/api/v2/version', headers: { Authorization: `Bearer ${'a'.repeat(20_000)}` } }],
  ])('because of its long %s is rejected with 431', async (_name, request) => {
    expect(await sendRaw(running.url, request)).toMatchObject({
      status: 431,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store, no-transform',
      },
      body: { error: 'The request cannot be read: Request Header Fields Too Large.' },
    });
  });

  it('does not include one with an unknown expectation', async () => {
    const headers = { Expect: 'tulips' };
    const { status, body } = await sendRaw(running.url, { path: '/api/v2/version', headers });

    expect(status).toBe(200);
    expect(body.edition).toBe('oss');
  });

  it('does not include HTTP/1.0 with a Host', async () => {
    const get = async (host: string) =>
      (await sendText(running.url, `GET /api HTTP/1.0\r\n${host}\r\n`)).line;

    expect(await get('Host: push.example.org\r\n')).toBe('HTTP/1.1 200 OK');
    expect(await get('')).toBe('HTTP/1.1 400 Bad Request');
  });

  it.each([
    ['JSON', 'application/json', '{"push":{"payload":"tu'],
    ['a form', 'application/x-www-form-urlencoded', 'push[payload]=tu'],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="push[pa',
    ],
  ])('because its client disconnects in the middle of %s creates no push', async (_name, type, start) => {
    const owner = await running.newUser();
    const socket = connectTo(running.url);
    socket.write(
      `POST /api/v2/pushes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${start}`,
      () => socket.destroy(),
    );
    await once(socket, 'close');

    expect((await owner.client.get('/api/v2/pushes/active')).body).toEqual([]);
  });

  describe('because it has two Host headers', () => {
    const ask = async (path: string, ...hosts: string[]) => {
      const [answer] = await sendBytes(running.url, requestBytes([`GET ${path} HTTP/1.1`, ...hosts]));
      return answer;
    };

    it.each([
      ['Host: a', 'Host: b'],
      ['Host: a', 'Host: a'],
      ['host: a', 'X-Between: 1', 'HOST: b'],
      ['Host: a', 'Host:'],
    ])('is rejected (L19)', async (...hosts) => {
      expect(await ask('/api', ...hosts)).toMatchObject({
        status: 400,
        body: { error: 'There must be one Host header.' },
      });
      for (const path of ['/', '/users/sign_in', '/up', '/api/v2/version', '/nothing']) {
        expect((await ask(path, ...hosts))?.status).toBe(400);
      }
    });

    it.each(['//api//v2/version/', '/r/..json/', '/en/p/x.json'])(
      'is rejected in JSON even at %s, an unusual form of a path',
      async (path) => {
        const answer = await ask(path, 'Host: a', 'Host: b');
        expect(answer).toMatchObject({ status: 400, body: { error: 'There must be one Host header.' } });
      },
    );

    it('does not mean one with other headers twice', async () => {
      expect((await ask('/api', 'Host: a', 'Hosts: a', 'X-Host: b', 'X-Host: b'))?.status).toBe(200);
    });
  });
});

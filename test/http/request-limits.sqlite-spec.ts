import { forAllTests } from '../support/for-tests.js';
import { multipart, MULTIPART, part } from '../support/multipart.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';
import { MIB } from '../../src/platform/settings/units.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

const TOO_LARGE = { error: expect.stringMatching(/^The body is too large\./) };

/** Bodies of exactly this many bytes, most of them in a field that is ignored. */
const bodies = {
  JSON: (size: number) => fill('{"push":{"payload":"tulip"},"x":"', '"}', size),
  form: (size: number) => fill('push[payload]=tulip&x=', '', size),
  multipart: (size: number) => {
    const parts = ['x', 'x', 'x'].map((name) => part(name, 'x'.repeat(4 * MIB)));
    const { length } = multipart(part('push[payload]', 'tulip'), ...parts, part('x', ''));
    return multipart(part('push[payload]', 'tulip'), ...parts, part('x', 'x'.repeat(size - length)));
  },
};
const types = {
  JSON: JSON_TYPE,
  form: FORM_TYPE,
  multipart: MULTIPART,
};
type Encoding = keyof typeof bodies;

function fill(before: string, after: string, size: number): Buffer {
  return Buffer.from(before + 'x'.repeat(size - before.length - after.length) + after);
}

const PAGE_FORM_TYPE = { ...FORM_TYPE, 'Sec-Fetch-Site': 'same-origin' };
const PAGE_FORMS = ['/users/sign_in', '/users/sign_up'];

afterAll(async () => {
  expect((await running.anonymous.get('/api/v2/version')).status).toBe(200); // before the app stops
});
const running = forAllTests(startApp);
const owner = forAllTests(() => running.newUser());

describe('A body', () => {
  const post = (headers: Record<string, string>, body: Buffer, chunked = false) =>
    sendRaw(running.url, { method: 'POST', path: '/api/v2/pushes', headers, body, chunked });

  describe.each<Encoding>(['JSON', 'form', 'multipart'])('in %s', (encoding) => {
    const bodyOf = (size: number) => bodies[encoding](size);
    const type = types[encoding];

    it.each([false, true])('may have 13 MiB (chunked: %p)', async (chunked) => {
      expect((await post(type, bodyOf(13 * MIB), chunked)).status).toBe(201);
    });

    it.each([false, true])('is rejected if it has one byte more (chunked: %p)', async (chunked) => {
      const { status, body } = await post(type, bodyOf(13 * MIB + 1), chunked);

      expect(status).toBe(413);
      expect(body).toEqual(TOO_LARGE);
    });
  });

  it('in JSON may have 34 MiB with a valid token', async () => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${owner.token}` };

    expect((await post(headers, bodies.JSON(34 * MIB))).status).toBe(201);
    expect(await post(headers, bodies.JSON(34 * MIB + 1))).toMatchObject({ status: 413, body: TOO_LARGE });
  });

  it.each<Encoding>(['form', 'multipart'])('in %s has the same limit with a token', async (encoding) => {
    const headers = { ...types[encoding], Authorization: `Bearer ${owner.token}` };

    expect(await post(headers, bodies[encoding](13 * MIB + 1))).toMatchObject({
      status: 413,
      body: TOO_LARGE,
    });
  });

  it('is not read if the token is invalid', async () => {
    const headers = { ...JSON_TYPE, Authorization: 'Bearer wrong' };

    expect((await post(headers, bodies.JSON(14 * MIB))).status).toBe(401);
  });

  it('can have at most a thousand fields in a form and a hundred in a multipart form (I4)', async () => {
    const form = Buffer.from(`push[payload]=tulip${'&a=1'.repeat(1001)}`);
    const parts = Array.from({ length: 101 }, () => part('a', '1'));

    expect((await post(FORM_TYPE, form)).status).toBe(413);
    expect((await post(MULTIPART, multipart(part('push[payload]', 'tulip'), ...parts))).status).toBe(413);
  });
});

describe('A body on a route that accepts none', () => {
  const bodiesIgnored: [string, Record<string, string>, string][] = [
    ['null', JSON_TYPE, 'null'],
    ['broken JSON', JSON_TYPE, '{'],
    ['a broken multipart form', MULTIPART, 'x'],
    ['plain text', { 'Content-Type': 'text/plain' }, 'x'],
    ['a form', FORM_TYPE, 'passphrase=wrong&access_token=wrong&page=0'],
  ];

  it.each(bodiesIgnored)('is ignored when it is %s', async (_name, headers, body) => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip' });
    const authorized = { ...headers, Authorization: `Bearer ${owner.token}` };
    const send = (method: string, path: string) =>
      sendRaw(running.url, { method, path, headers: authorized, body });

    expect((await send('GET', '/api/v2/version')).status).toBe(200);
    expect((await send('GET', '/api/v2/pushes/active')).status).toBe(200);
    expect((await send('GET', `/api/v2/pushes/${urlToken}/preview`)).status).toBe(200);
    expect((await send('GET', `/api/v2/pushes/${urlToken}/audit`)).status).toBe(200);
    expect((await send('GET', `/api/v2/pushes/${urlToken}`)).body.payload).toBe('tulip');
    expect((await send('DELETE', `/api/v2/pushes/${urlToken}`)).body.deleted).toBe(true);
  });
});

describe('A request with far too many', () => {
  const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
    sendRaw(running.url, { method: 'POST', path, headers, body });

  it('headers is rejected with 431 (I4)', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `X-${i}: 1`);
    const [answer] = await sendBytes(
      running.url,
      requestBytes(['GET /api/v2/version HTTP/1.1', 'Host: a', ...many]),
    );

    expect(answer).toMatchObject({
      status: 431,
      body: { error: 'The request cannot be read: Request Header Fields Too Large.' },
    });
  });

  it('query parameters is read up to the thousandth (I4, I5)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    const ask = (count: number) =>
      sendRaw(running.url, {
        path: `/api/v2/pushes/${url_token}?${'a&'.repeat(count)}passphrase=horse`,
      });

    expect((await ask(999)).body.payload).toBe('tulip');
    expect((await ask(5000)).status).toBe(401);
  });

  it('nested levels in its query is read without parsing them (I4)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    const deep = `passphrase${'[a]'.repeat(4000)}=horse&passphrase[]=horse&__proto__[passphrase]=horse`;
    const ask = (query: string) => sendRaw(running.url, { path: `/api/v2/pushes/${url_token}?${query}` });

    expect((await ask(deep)).status).toBe(401);
    expect((await ask(`${deep}&passphrase=horse`)).body.payload).toBe('tulip');
  });

  it('characters in the name of a multipart field is rejected (I4)', async () => {
    const named = (name: string) =>
      post('/api/v2/pushes', MULTIPART, multipart(part('push[payload]', 'tulip'), part(name, '1')));

    expect((await named('x'.repeat(200))).status).toBe(201);
    expect(await named('x'.repeat(201))).toMatchObject({
      status: 413,
      body: { error: 'The form has too many or too large fields.' },
    });
    expect((await named(`push${'[a]'.repeat(100)}`)).status).toBe(413);
  });

  it('nested levels in ignored multipart fields is accepted (I4)', async () => {
    const names = Array.from({ length: 90 }, (_, i) => `push${'[a]'.repeat(60)}[${i}]`);
    const { status, body } = await post(
      '/api/v2/pushes',
      MULTIPART,
      multipart(part('push[payload]', 'tulip'), ...names.map((name) => part(name, '1'))),
    );

    expect(status).toBe(201);
    expect((await running.anonymous.retrieve(body.url_token)).body.payload).toBe('tulip');
  });

  it.each(PAGE_FORMS)('bytes, fields or levels for %s is rejected (I4)', async (path) => {
    const refusal = async (body: string) => (await post(path, PAGE_FORM_TYPE, body)).status;

    expect(await refusal(`email=a&password=${'x'.repeat(65_536)}`)).toBe(413);
    expect(await refusal(`email=a&password=b${'&c=1'.repeat(1001)}`)).toBe(413);
    expect(await refusal(`email=a&password=b&c${'[d]'.repeat(200)}=1`)).toBe(400);
  });
});

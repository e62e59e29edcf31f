import { multipart, MULTIPART, part } from '../support/multipart.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

const TOO_LARGE = { error: expect.stringMatching(/^The body is too large\./) };

/** Bodies of exactly this many bytes, most of them in a field that is ignored. */
const bodies = {
  JSON: (size: number) => fill('{"push":{"payload":"tulip"},"x":"', '"}', size),
  form: (size: number) => fill('push[payload]=tulip&x=', '', size),
  multipart: (size: number) => {
    const { length } = multipart(part('push[payload]', 'tulip'), part('x', ''));
    return multipart(part('push[payload]', 'tulip'), part('x', 'x'.repeat(size - length)));
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

describe('A body', () => {
  let running: RunningApp;
  let owner: TestUser;
  const post = (headers: Record<string, string>, body: Buffer, chunked = false) =>
    sendRaw(running.url, { method: 'POST', path: '/api/v2/pushes', headers, body, chunked });

  beforeAll(async () => {
    running = await startApp();
    owner = await running.newUser();
  });
  afterAll(() => running.stop());

  describe.each<Encoding>(['JSON', 'form', 'multipart'])('in %s', (encoding) => {
    const bodyOf = (size: number) => bodies[encoding](size);
    const type = types[encoding];

    it.each([false, true])('may have 13 MiB (chunked: %p)', async (chunked) => {
      expect((await post(type, bodyOf(13 * MIB), chunked)).status).toBe(201);
    });

    it.each([false, true])('is refused if it has one byte more (chunked: %p)', async (chunked) => {
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
  let running: RunningApp;
  let owner: TestUser;

  beforeAll(async () => {
    running = await startApp();
    owner = await running.newUser();
  });
  afterAll(() => running.stop());

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

import { multipart, MULTIPART, part } from '../support/multipart.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
const PAGE_FORMS = ['/users/sign_in', '/users/sign_up'];

describe('A request with far too many', () => {
  let running: RunningApp;

  beforeAll(async () => (running = await startApp()));
  afterAll(async () => {
    expect((await running.anonymous.get('/api/v2/version')).status).toBe(200);
    await running.stop();
  });

  const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
    sendRaw(running.url, { method: 'POST', path, headers, body });

  it('headers is refused with 431 (I4)', async () => {
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

  it('characters in the name of a multipart field is refused (I4)', async () => {
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

  it.each(PAGE_FORMS)('bytes, fields or levels for %s is refused (I4)', async (path) => {
    const refusal = async (body: string) => (await post(path, FORM_TYPE, body)).status;

    expect(await refusal(`email=a&password=${'x'.repeat(65_536)}`)).toBe(413);
    expect(await refusal(`email=a&password=b${'&c=1'.repeat(1001)}`)).toBe(413);
    expect(await refusal(`email=a&password=b&c${'[d]'.repeat(200)}=1`)).toBe(400);
  });
});

import type { ClientResponse } from '../support/client.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';

/** Words that make clients mistake a 403 for a rate limit, and retry. */
const THROTTLING = /rate.?limit|too many|throttl|retry|try again|wait/i;

describe('Validation errors', () => {
  let running: RunningApp;
  let owner: TestUser;
  let stranger: TestUser;

  const start = async (env: Record<string, string> = {}) => {
    running = await forThisTest(startApp(env));
    owner = await running.newUser();
    stranger = await running.newUser();
  };

  it.each(['0', '100'])(
    'with 403 do not mention rate limits (at most %s requests a minute)',
    async (limit) => {
      await start({ REQUESTS_PER_MINUTE: limit });
      const { url_token: token } = await owner.client.push({
        payload: 'tulip',
        files: [{ filename: 'a', content: 'YQ==' }],
      });
      const { body } = await owner.client.retrieve(token);
      await owner.client.delete(`/p/${token}.json`);
      const { url_token: kept } = await owner.client.push({ payload: 'tulip' });
      const answers = [
        await stranger.client.delete(`/p/${kept}.json`),
        await stranger.client.delete(`/api/v2/pushes/${kept}`),
        await stranger.client.get(`/p/${kept}/audit.json`),
        await stranger.client.get(`/api/v2/pushes/${kept}/audit`),
        await running.anonymous.get(new URL(body.files[0].url).pathname),
      ];

      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 403, body: { error: expect.any(String) } });
        expect(answer.headers.has('retry-after')).toBe(false);
        expect(JSON.stringify(answer.body)).not.toMatch(THROTTLING);
      }
    },
  );

  it.each(['/api/v2/version', '/api/v1/version.json', '/p/unknown.json', '/p/active.json', '/api/v2/pushes'])(
    'of floods at %s are 429 with Retry-After and JSON',
    async (path) => {
      await start({ REQUESTS_PER_MINUTE: '2' });
      const client = running.anonymous.with({ Accept: 'text/html' });
      const send = () => (path === '/api/v2/pushes' ? client.post(path, {}) : client.get(path));
      await send();
      await send();

      expectToWait(await send(), 60);
    },
  );

  it.each(['/p/:token.json', '/api/v2/pushes/:token'])(
    'of guesses at %s are 429 with Retry-After and JSON',
    async (path) => {
      await start();
      const { url_token: token } = await owner.client.push({ payload: 'tulip', passphrase: 'rose' });
      const guess = () => running.anonymous.get(`${path.replace(':token', token)}?passphrase=wrong`);
      for (let time = 1; time <= 5; time += 1) expect((await guess()).status).toBe(401);

      expectToWait(await guess(), 60);
    },
  );

  function expectToWait(answer: ClientResponse, max: number): void {
    const seconds = Number(answer.headers.get('retry-after'));

    expect(answer).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= max).toBe(true);
  }
});

/** Properties that every plain object has; `UNKNOWN` is one that no object has. */
const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'];
const UNKNOWN = 'tulip';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

describe('Names of properties that every object has are treated like other names', () => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' }));

  const get = (path: string, headers = {}) => sendRaw(running.url, { path, headers });
  const post = (path: string, headers: Record<string, string>, body: string) =>
    sendRaw(running.url, { method: 'POST', path, headers, body });
  const push = (fields: string) => post('/api/v2/pushes', JSON_TYPE, `{"push":{"payload":"a",${fields}}}`);

  const PLACES: [place: string, send: (name: string) => Promise<{ status: number }>][] = [
    ['a path', (name) => get(`/${name}`)],
    ['a path of the API', (name) => get(`/api/v2/${name}`)],
    ['an asset', (name) => get(`/assets/x/${name}`)],
    ['a url_token', (name) => get(`/api/v2/pushes/${name}`)],
    ['a token of a request', (name) => get(`/api/v2/requests/${name}`)],
    ['a locale', (name) => get(`/${name}/p/x`)],
    ['a download link', (name) => get(`/files/${name}`)],
    ['a query', (name) => get(`/api/v2/pushes/x?${name}=1&passphrase[${name}]=1`)],
    ['a page of a list', (name) => get(`/api/v2/pushes/active?page=${name}`)],
    ['a cookie', (name) => get('/', { Cookie: `${name}=1` })],
    ['a token', (name) => get('/api/v2/pushes/active', { Authorization: `Bearer ${name}` })],
    ['a scheme of authorization', (name) => get('/api/v2/pushes/active', { Authorization: `${name} x` })],
    ['an encoding that is accepted', (name) => get('/favicon.ico', { 'Accept-Encoding': name })],
    ['a kind', (name) => push(`"kind":"${name}"`)],
    ['a field of a push', (name) => push(`"${name}":"1"`)],
    ['a field of a push that is an object', (name) => push(`"${name}":{"payload":"b"}`)],
    [
      'a field in a form',
      (name) => post('/api/v2/pushes', FORM_TYPE, `push[payload]=a&${name}=1&push[${name}]=1`),
    ],
    ['a field of a page', (name) => post(`/p/${'a'.repeat(43)}`, FORM_TYPE, `passphrase=b&${name}=1`)],
    ['a kind on a page', (name) => post('/', FORM_TYPE, `push[payload]=a&push[kind]=${name}`)],
    ['a type of a body', (name) => post('/api/v2/pushes', { 'Content-Type': `text/${name}` }, 'a')],
    [
      'a charset',
      (name) => post('/api/v2/pushes', { 'Content-Type': `application/json; charset=${name}` }, '{}'),
    ],
    [
      'a method',
      (name) =>
        sendRaw(running.url, { method: 'GET', path: '/', headers: { 'X-HTTP-Method-Override': name } }),
    ],
  ];

  it.each(PLACES)('as %s (L20)', async (_place, send) => {
    const { status } = await send(UNKNOWN);
    expect(status).toBeLessThan(500);

    for (const name of NAMES) expect([name, (await send(name)).status]).toEqual([name, status]);
  });
});

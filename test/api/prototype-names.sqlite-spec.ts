import { forAllTests } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

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

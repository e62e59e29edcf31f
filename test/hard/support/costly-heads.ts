import type { CostlyRequest } from './costly-request.js';

/** Less than the limit of 16 KiB for request headers. */
const LONG = 15_000;

function filled(unit: string, before = '', after = ''): string {
  return before + unit.repeat((LONG - before.length - after.length) / unit.length) + after;
}

const target = (name: string, path: string): CostlyRequest => ({ name, line: `GET ${path}` });
const header = (name: string, value: string, line = 'GET /users/sign_in'): CostlyRequest => ({
  name: `${name}: ${value.slice(0, 12).trim()}…`,
  line,
  headers: [`${name}: ${value}`],
});

/** Request lines and headers that take long to parse. */
export const LONG_HEADS: CostlyRequest[] = [
  target('slashes', filled('/')),
  target('encoded slashes', filled('%2f', '/')),
  target('dots and slashes', filled('./', '/')),
  target('formats', filled('.json', '/p/a')),
  target('formats under /api', filled('.json/', '/api/v2/pushes/')),
  target('an endless token', filled('a', '/p/')),
  target('an endless token after a locale', filled('a/', '/de/p/', '.json')),
  target('brackets in the query', filled('[', '/api/v2/version?')),
  target('ampersands in the query', filled('&', '/api/v2/version?')),
  target('fields in the query', filled('push[payload]=a&', '/?')),
  target('plus signs in the query', filled('+', '/users/sign_in?next=')),
  target('digits of a page', filled('9', '/api/v2/pushes/active?page=')),
  { name: 'fields of a push in the query', line: `POST ${filled('push[a]=a&', '/api/v2/pushes?')}` },
  { name: 'levels in the query', line: `POST ${filled('[a]', '/api/v2/pushes?push', '=a')}` },
  header('Cookie', filled('; ')),
  header('Cookie', filled('a=%41;')),
  header('Accept-Encoding', filled('br;q=0,'), 'GET /api/docs.md'),
  header('Accept-Language', filled('a-b;q=0.1,')),
  header('Accept', filled('*/*;q=,')),
  header('X-Forwarded-For', filled('1,')),
  header('X-Forwarded-For', filled('::')),
  header('X-Forwarded-Host', filled('a.')),
  header('X-Forwarded-Proto', filled(',')),
  header('Range', filled('0-0,', 'bytes=')),
  header('Referer', filled('\u00e9', 'https://')),
  header('User-Agent', filled('(')),
  header('If-None-Match', filled('W/"",')),
  header('Origin', filled('a.', 'https://'), 'POST /users/sign_in'),
  header('Authorization', filled(' ', 'Bearer', 'a'), 'GET /api/v2/version'),
  header('Content-Type', filled(' ;', 'application/json'), 'POST /api/v2/pushes'),
  header('Content-Type', filled('\\"', 'application/json; charset="'), 'POST /api/v2/pushes'),
  header('Content-Type', filled(';boundary=b', 'multipart/form-data'), 'POST /api/v2/pushes'),
  header('X-Push-Passphrase', filled('%41'), 'GET /api/v2/pushes/$protected'),
];

/** Hosts that proxies and the server might interpret differently. */
export const HOSTS: CostlyRequest[] = [
  { name: 'another Host', line: 'GET /p/$open', headers: ['Host: other.example.org'] },
  { name: 'hundreds of Hosts', line: 'GET /p/$open', headers: Array<string>(500).fill('Host: a') },
  header('Host', filled('a.'), 'GET /p/$open'),
  header('hOsT', filled(':1'), 'GET /api/v2/pushes/$open'),
];

const json = (text: string, line?: string): CostlyRequest => ({
  name: text,
  line,
  headers: ['Content-Type: application/json'],
  body: () => Buffer.from(text),
});
const form = (text: string, line?: string): CostlyRequest => ({
  name: text,
  line,
  headers: ['Content-Type: application/x-www-form-urlencoded'],
  body: () => Buffer.from(text),
});

/** Inherited property names, wherever a text from the request is used as a lookup key. */
export const NAMES_OF_OBJECTS: CostlyRequest[] = ['constructor', '__proto__', 'toString'].flatMap((name) => [
  ...['/assets/a/', '/api/docs/', '/api/v2/pushes/', '/p/', '/users/sign_in?done=', '/?', '/files/'].map(
    (path) => target(path + name, path + name),
  ),
  json(`{"push":{"payload":"a","kind":"${name}"}}`),
  json(`{"push":{"payload":"a","expire_after_duration":"${name}"}}`),
  json(`{"push":{"payload":"a","${name}":{"${name}":{"payload":"a"}}}}`),
  json(`{"${name}":{"payload":"a"}}`, 'POST /r.json'),
  form(`push[${name}][payload]=a&${name}[payload]=a&push[payload]=b`),
  form(`${name}=a&email=${name}&next=${name}`, 'POST /users/sign_in'),
]);

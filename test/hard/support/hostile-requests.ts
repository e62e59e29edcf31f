import * as fc from 'fast-check';
import { paths } from '../../support/openapi.js';
import { keptExcerpt } from './excerpt.js';
import type { Body } from './hostile-bodies.js';
import { hostileBody, QUOTABLE_BODIES } from './hostile-bodies.js';
import { headerText, MARKER, secretText, text } from './hostile-values.js';

/** Names that requests may use: `$open` in a path or header is replaced by the URL token of an open push. */
export const FIXTURES = ['open', 'protected', 'deletable', 'ended', 'ticket', 'apiToken'] as const;
export type Fixtures = Record<(typeof FIXTURES)[number], string>;

type Header = [name: string, value: string];

export interface HostileRequest {
  method: string;
  target: string;
  headers: Header[];
  body?: Body;
  framing: 'length' | 'chunked' | 'too short' | 'too long';
}

const HTTP_METHODS = [
  'GET',
  'HEAD',
  'POST',
  'DELETE',
  'PUT',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
];
const ODD_METHODS = ['get', 'FOO', 'CONNECT', 'M-SEARCH', 'PRI'];

/** Paths that are not in the OpenAPI document. */
const OTHER_PATHS = [
  ...[
    '/',
    '/p.json',
    '/f.json',
    '/r.json',
    '/p/$open',
    '/p/$open/r',
    '/p/$protected',
    '/p/$deletable/delete',
  ],
  ...['/p/{url_token}.json', '/f/{url_token}/preview.json', '/r/{url_token}/audit.json', '/p/active.json'],
  ...[
    '/api',
    '/api/v1/version',
    '/api/v2',
    '/api/v2/openapi.json',
    '/api/docs',
    '/api/docs.md',
    '/api/v2/nothing',
  ],
  ...['/users/sign_in', '/users/sign_up', '/users/token', '/users/token/{url_token}/revoke', '/users/edit'],
  ...[
    '/pushes',
    '/pushes/expired',
    '/p/{url_token}/audit',
    '/assets/{url_token}/{url_token}',
    '/assets/../x',
  ],
  ...['/favicon.ico', '/robots.txt', '/ready', '/up', '/metrics', '/{url_token}', '//a.example/api', '*'],
];

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...FIXTURES).map((name) => `$${name}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '.',
        '..',
        '...',
        '%2e%2e',
        '%2f',
        '..%2f..%2fetc%2fpasswd',
        '%00',
        '%0d%0aX-A:%20b',
        '%',
        '%z',
        '%ff',
      ],
      ...['active', 'expired', '__proto__', 'constructor', '$open.json', '$open%2e', '$open.', '$open%20'],
      ...[
        '$open/',
        '$open%2fpreview',
        '*',
        ':url_token',
        '(',
        '\\',
        'a'.repeat(300),
        MARKER,
        '0',
        '-1',
        '\xe9',
      ],
    ),
  },
  { weight: 2, arbitrary: text.map(encodeURIComponent) },
);

/** Other spellings of a path; most of them are equivalent for the server. */
const respelled = fc.oneof(
  { weight: 8, arbitrary: fc.constant((path: string) => path) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      (path: string) => `${path}.json`,
      (path: string) => `${path}/`,
      (path: string) => path.replaceAll('/', '//'),
      (path: string) => `${path}.`,
      (path: string) => `${path}.json.json//`,
      (path: string) => path.replace('/api', '/API'),
      (path: string) => path.replace('/api/', '/api%2f'),
      (path: string) => path.replace('/api/', '/./api/../api/'),
      (path: string) => path.replace('pushes', '%70ushes'),
      (path: string) => `${path};a=b`,
      (path: string) => `${path}#a`,
      (path: string) => `http://a.example${path}`,
      (path: string) => path.slice(1),
      (path: string) => `${path} b`,
    ),
  },
);

const page = fc.oneof(
  fc.constantFrom(
    '1',
    '2',
    '200',
    '201',
    '0',
    '-1',
    '01',
    '1.0',
    '1e1',
    '99999999999999999999',
    '%31',
    '1%00',
    '',
  ),
  text.map(encodeURIComponent),
);
const queryPassphrase = fc.oneof(fc.constantFrom('right', ''), secretText.map(encodeURIComponent));
const parameter = fc.oneof(
  page.map((value) => `page=${value}`),
  queryPassphrase.map((value) => `passphrase=${value}`),
  fc.constantFrom(
    ...[
      'page',
      'page[]=1',
      'page[a]=1',
      'passphrase[]=a',
      'passphrase',
      'access_token=$apiToken',
      '__proto__[a]=1',
    ],
    ...[
      '%',
      '=',
      '&&',
      `a=${'b'.repeat(3000)}`,
      'push[payload]=a',
      'push[payload]=%ff',
      'push=1',
      '\xff',
      '?',
    ],
  ),
);
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.array(parameter, { maxLength: 3 }).map((some) => `?${some.join('&')}`) },
);

const AUTHORIZATIONS = [
  ...[
    'Bearer $apiToken',
    'bearer   $apiToken ',
    'Token $apiToken',
    '$apiToken',
    'Bearer',
    'Bearer ,',
    'Basic QTpi',
  ],
  ...[
    `Bearer ${MARKER}`,
    `Bearer $apiToken ${MARKER}`,
    `Bearer ${MARKER}\xff`,
    `Digest ${MARKER}`,
    'Bearer $open',
  ],
];
const PASSPHRASES = [
  'right',
  'r%69ght',
  '',
  '%',
  '%zz',
  '%ff',
  '%00',
  '%ED%A0%80',
  MARKER,
  `${MARKER}%`,
  '\xe9',
];
const RANGES = [
  ...['bytes=0-0', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'bytes=-0'],
  ...[
    'bytes=',
    'bytes=a-b',
    'items=0-1',
    'bytes=1-99999999999999999999',
    'bytes=0x1-2',
    `bytes=${'0-1,'.repeat(500)}`,
  ],
];
const HOSTS = [
  'a b',
  '',
  'a.example/..',
  'a:99999',
  '[::1]',
  '[::1',
  '\xfc',
  'a@b',
  'a,b',
  '$open',
  'A.EXAMPLE:80',
];

function named(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Header> {
  return value.map((some): Header => [name, some]);
}

const header: fc.Arbitrary<Header> = fc.oneof(
  { weight: 6, arbitrary: named('Authorization', fc.constantFrom(...AUTHORIZATIONS)) },
  {
    weight: 1,
    arbitrary: named(
      'Authorization',
      headerText.map((some) => `Bearer ${MARKER}${some}`),
    ),
  },
  { weight: 3, arbitrary: named('X-Push-Passphrase', fc.oneof(fc.constantFrom(...PASSPHRASES), headerText)) },
  { weight: 2, arbitrary: named('X-User-Token', fc.constantFrom('$apiToken', MARKER, '')) },
  { weight: 2, arbitrary: named('X-User-Email', headerText) },
  { weight: 2, arbitrary: named('Range', fc.constantFrom(...RANGES)) },
  { weight: 1, arbitrary: named('If-Range', fc.oneof(fc.constantFrom('"a"', 'W/"a"', '*'), headerText)) },
  { weight: 2, arbitrary: named('Host', fc.oneof(fc.constantFrom(...HOSTS), headerText)) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom(
        ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'Referer', 'User-Agent'],
        ...[
          'Cookie',
          'Origin',
          'Sec-Fetch-Site',
          'Accept',
          'Accept-Language',
          'If-None-Match',
          'If-Modified-Since',
        ],
        ...[
          'X-Request-Id',
          'X-HTTP-Method-Override',
          'Upgrade',
          'X-A',
          '__proto__',
          'Content-Encoding',
          'Trailer',
        ],
      ),
      headerText,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Header>(
      ['Expect', '100-continue'],
      ['Expect', 'tulips'],
      ['Upgrade', 'websocket'],
      ['If-None-Match', '*'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Referer', `https://a.example/p/$open?passphrase=${MARKER}`],
      ['Cookie', `session=${MARKER}`],
      ['Transfer-Encoding', 'identity'],
      ['Transfer-Encoding', 'gzip, chunked'],
      ['Content-Length', '-1'],
      ['', 'a'],
      ['A B', 'a'],
    ),
  },
);

const framing = fc.oneof(
  { weight: 8, arbitrary: fc.constant('length' as const) },
  { weight: 2, arbitrary: fc.constant('chunked' as const) },
  { weight: 1, arbitrary: fc.constantFrom('too short' as const, 'too long' as const) },
);

interface Route {
  method: string;
  path: string;
}

const DESCRIBED: Route[] = Object.entries<object>(paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
);
const anyMethod = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HTTP_METHODS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_METHODS) },
);
const otherRoute: fc.Arbitrary<Route> = fc.record({
  method: anyMethod,
  path: fc.constantFrom(...OTHER_PATHS, ...DESCRIBED.map(({ path }) => path)),
});
const route = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...DESCRIBED) },
  { weight: 2, arbitrary: otherRoute },
);

/** Requests to any path, in any spelling. */
export const anyRequest: fc.Arbitrary<HostileRequest> = route.chain(({ method, path }) =>
  fc
    .record(
      {
        method: fc.constant(method),
        target: fc
          .tuple(segment, segment, respelled, query)
          .map(
            ([one, two, respell, some]) =>
              respell(path.replace(/\{\w+\}/, one).replace(/\{\w+\}/, two)) + some,
          ),
        headers: fc.array(header, { maxLength: 3 }),
        body: ['GET', 'HEAD'].includes(method) ? fc.constant(undefined) : hostileBody(keyAt(path)),
        framing,
      },
      { requiredKeys: ['method', 'target', 'headers', 'framing'] },
    )
    .map(printedBriefly),
);

const creation = fc.oneof(
  { weight: 5, arbitrary: fc.constant('/api/v2/pushes') },
  { weight: 1, arbitrary: fc.constantFrom('/p.json', '/f.json', '/r.json') },
);

/** Requests to create a push; most of them are valid. */
export const anyCreation: fc.Arbitrary<HostileRequest> = creation.chain((path) =>
  fc
    .record({
      method: fc.constant('POST'),
      target: fc.constant(path),
      headers: fc.oneof(
        { weight: 6, arbitrary: fc.constant<Header[]>([['Authorization', 'Bearer $apiToken']]) },
        { weight: 1, arbitrary: fc.constant<Header[]>([]) },
        { weight: 1, arbitrary: fc.array(header, { maxLength: 2 }) },
      ),
      body: hostileBody(keyAt(path)),
      framing,
    })
    .map(printedBriefly),
);

/** Sent in each run, because random generation seldom produces them. */
export const QUOTABLE_CREATIONS: HostileRequest[] = QUOTABLE_BODIES.map((body) => ({
  method: 'POST',
  target: '/api/v2/pushes',
  headers: [['Authorization', 'Bearer $apiToken']],
  body,
  framing: 'length',
}));

function keyAt(path: string): string {
  return { '/p.json': 'password', '/f.json': 'file_push', '/r.json': 'url' }[path] ?? 'push';
}

/** A failure would otherwise print each byte of the body, and the push in it. */
function printedBriefly(request: HostileRequest): HostileRequest {
  const print = () => {
    const { body, ...rest } = request;
    return `${fc.stringify({ ...rest, ...body, bytes: '', push: '' })} with the body ${keptExcerpt(body?.bytes ?? '')}`;
  };
  return Object.defineProperty(request, fc.toStringMethod, { value: print });
}

/** Whether the whole announced body is sent. */
export function isWhole({ headers, body, framing }: HostileRequest): boolean {
  const announcesMore = !body && headers.some(([name]) => name === 'Transfer-Encoding');
  return framing !== 'too long' && !announcesMore;
}

/** The bytes of a request, with the fixtures inserted. The connection is closed after the response. */
export function bytesOf(
  { method, target, headers, body, framing }: HostileRequest,
  fixtures: Fixtures,
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some(([name]) => name === 'Host') ? [] : ['Host: push.example.org']),
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body?.type === undefined ? [] : [`Content-Type: ${body.type}`]),
    ...(body?.encoding === undefined ? [] : [`Content-Encoding: ${body.encoding}`]),
    ...(body ? [lengthLine(body.bytes.length, framing)] : []),
  ];
  const head = lines
    .join('\r\n')
    .replace(/\$(\w+)/g, (all, name) => (fixtures as Record<string, string>)[name] ?? all);
  const content = body && framing === 'chunked' ? inChunks(body.bytes) : (body?.bytes ?? Buffer.alloc(0));
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
}

function lengthLine(length: number, framing: HostileRequest['framing']): string {
  switch (framing) {
    case 'chunked':
      return 'Transfer-Encoding: chunked';
    case 'too short':
      return `Content-Length: ${length >> 1}`;
    case 'too long':
      return `Content-Length: ${length + 5}`;
    default:
      return `Content-Length: ${length}`;
  }
}

function inChunks(bytes: Buffer): Buffer {
  const size = Math.ceil(bytes.length / 3);
  const chunks = [0, 1, 2].map((index) => bytes.subarray(index * size, (index + 1) * size));
  const written = chunks
    .filter(({ length }) => length > 0)
    .flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  return Buffer.concat([...written, Buffer.from('0\r\n\r\n')]);
}

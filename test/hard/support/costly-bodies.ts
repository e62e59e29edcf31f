import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { CostlyRequest } from './costly-request.js';
import { MIB } from '../../../src/platform/settings/units.js';

const TWO_GB = 2_000_000_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_DATA = 'multipart/form-data; boundary=b';
const CHUNKED = 'Transfer-Encoding: chunked';

const JSON_PUSH = '{"push":{"payload":"';
const JSON_FILE = '{"push":{"payload":"a","files":[{"filename":"a","content":"';
const PART = '--b\r\nContent-Disposition: form-data; name=';
const FIELD = `${PART}"push[payload]"`;
const FILE = `${PART}"push[files][]"; filename="a"`;
const END = '\r\n--b--\r\n';

/** `unit` repeated between `before` and `after`, up to `length` bytes in total; by default the size limit of a body. */
export function filled(unit: string, before = '', after = '', length = 13 * MIB): Buffer {
  const unitBytes = Buffer.byteLength(unit);
  const units = Math.floor((length - Buffer.byteLength(before + after)) / unitBytes);
  return Buffer.concat([Buffer.from(before), Buffer.alloc(units * unitBytes, unit), Buffer.from(after)]);
}

/** JSON with names of that many characters, the last six of which make them distinct. */
function distinctNames(
  count: number,
  length: number,
  unit = 'a',
  before = '{"push":{"payload":"a",',
  after = '}}',
): Buffer {
  const beginning = unit.repeat(length - 6);
  const members = Array.from({ length: count }, (_, i) => `"${beginning}${String(i).padStart(6, '0')}":1`);
  return Buffer.from(before + members.join(',') + after);
}

/** Each byte in its own chunk. */
function inChunks(bytes: Buffer): Buffer {
  const chunks = Buffer.alloc(bytes.length * 6, '1\r\n_\r\n');
  for (let i = 0; i < bytes.length; i++) chunks[i * 6 + 3] = bytes[i] as number;
  return Buffer.concat([chunks, Buffer.from('0\r\n\r\n')]);
}

const typed =
  (kind: string, type: string) =>
  (name: string, body: () => Buffer, more: Partial<CostlyRequest> = {}): CostlyRequest => ({
    name: `${kind} of ${name}`,
    ...more,
    headers: [`Content-Type: ${type}`, ...(more.headers ?? [])],
    body,
  });
const json = typed('JSON', JSON_TYPE);
const form = typed('a form', FORM_TYPE);
const parts = typed('a multipart form', FORM_DATA);

/** Forms whose parts take long to parse. */
export const MULTIPART_FORMS: CostlyRequest[] = [
  parts('one field', () => filled('a', `${FIELD}\r\n\r\n`, END)),
  parts('spaces in the header of a part', () => filled(' ', `${FIELD}\r\nContent-Type:`)),
  parts('an endless header of a part', () => filled('x', `${FIELD}\r\nX: `)),
  parts('types in the headers of a part', () => filled('content-type: a\r\n', `${FIELD}\r\n`)),
  parts('parameters of a part', () => filled('; a="\\', FIELD, `\r\n\r\na${END}`, 15_000)),
  parts('spaces in the type of a part', () =>
    filled(' ;', `${FIELD}\r\nContent-Type: a/b`, `\r\n\r\na${END}`, 15_000),
  ),
  parts('parts', () => filled(`${FIELD}\r\n\r\na\r\n`)),
  parts('parts without a disposition', () => filled('--b\r\nX: 1\r\n\r\n\r\n')),
  parts('unexpected files', () => filled(`${PART}f; filename=a\r\n\r\na\r\n`)),
  parts('files', () => filled(`${FILE}\r\n\r\na\r\n`)),
  parts('almost boundaries', () => filled('\r\n--', `${FIELD}\r\n\r\n`, END)),
  parts('fields of almost boundaries', () => {
    const text = filled('\r\n--', `${FIELD}\r\n\r\n`, '\r\n', 4 * MIB);
    return Buffer.concat([text, text, text, Buffer.from(END)]);
  }),
  parts('almost boundaries in a file', () => filled('\r\n--', `${FILE}\r\n\r\n`, END)),
  parts('brackets in a name', () => filled('[', `${PART}"`, `"\r\n\r\na${END}`, 15_000)),
  parts('a list with a huge index', () =>
    Buffer.from([4_294_967_294, 'x', 'y'].map((key) => `${PART}"a[${key}]"\r\n\r\n1\r\n`).join('') + END),
  ),
  parts('a field in one-byte chunks', () => inChunks(filled('a', `${FIELD}\r\n\r\n`, END, MIB / 8)), {
    headers: [CHUNKED],
  }),
];

/** JSON that takes long to parse, or expands to a much larger size. */
export const JSON_BODIES: CostlyRequest[] = [
  json('brackets', () => filled('[')),
  json('closed brackets', () => filled('[]', '[')),
  json('empty objects', () => filled('{},', '[', '1]')),
  json('nested objects', () => filled('{"a":')),
  json('members', () => filled('"a":1,', '{', '"b":1}')),
  json('numbers', () => filled('1,', '[')),
  json('one number', () => filled('1')),
  json('one number with a fraction', () => filled('1', '0.')),
  json('spaces', () => filled(' ')),
  json('one text', () => filled('a', '"', '"')),
  json('escapes in a text', () => filled('\\u00e9', JSON_PUSH, '"}}')),
  json('quotes in a text', () => filled('\\"', JSON_PUSH, '"}}')),
  json('one long name', () => filled('a', '{"', '":1}')),
  json('825 names of 16 KB', () => distinctNames(825, 16_384)),
  json('130 names of 16 KB in escapes', () => distinctNames(130, 16_384, '\\u0061')),
  json('34 MiB of names with a token', () => distinctNames(2000, 17_000), { withToken: true }),
  json('9,900 names of 1,200 characters', () => distinctNames(9900, 1200)),
  json('9,900 short names', () => distinctNames(9900, 13)),
  json('9,900 names that are numbers', () => distinctNames(9900, 7, '4')),
  json('9,900 names in a field', () => distinctNames(9900, 13, 'a', '{"push":{"payload":{', '}}}')),
  json('9,900 names in a list in a field', () =>
    distinctNames(9900, 13, 'a', '{"push":{"name":[[{', '}]]}}'),
  ),
  json('ten thousand names', () => filled('"a":1,', '{"push":{', '"a":1}}', 59_000)),
  json('three bytes a character', () => filled('\u20ac', JSON_PUSH, '"}}', 12 * MIB)),
  json('brackets in gzip', () => gzipSync(filled('[')), { headers: ['Content-Encoding: gzip'] }),
  json('brackets in brotli', () => brotliCompressSync(filled('[', '', '', MIB)), {
    headers: ['Content-Encoding: br'],
  }),
  json('brackets in one-byte chunks', () => inChunks(filled('[],', '{"a":[', '1]}', 27_000)), {
    headers: [CHUNKED],
  }),
  json('a text in one-byte chunks', () => inChunks(filled('a', JSON_PUSH, '"}}', MIB / 4)), {
    headers: [CHUNKED],
  }),
  json('34 MiB of a text with a token', () => filled('a', JSON_PUSH, '"}}', 34 * MIB), { withToken: true }),
  json('a file in base64 with a token', () => filled('YWFh', JSON_FILE, '"}]}}', 20 * MIB), {
    withToken: true,
  }),
  json(
    '33 MiB of a file in base64 with a token',
    () => Buffer.from(`${JSON_FILE}${'YWFh'.repeat((33 * MIB) / 4)}"}]}}`),
    { withToken: true },
  ),
  ...['notify_emails_to', 'allowed_networks'].map((field) =>
    json(`long texts in the list ${field}`, () =>
      Buffer.from(`{"push":{"payload":"a","${field}":[${`"${' '.repeat(MIB)}a",`.repeat(12)}"a"]}}`),
    ),
  ),
  json('invalid base64 with a token', () => filled('=- ', JSON_FILE, '"}]}}', 20 * MIB), {
    withToken: true,
  }),
];

/** Forms, and bodies in odd charsets, that take long to decode. */
export const ENCODED_BODIES: CostlyRequest[] = [
  form('plus signs in a value', () => filled('+', 'push[payload]=')),
  form('plus signs', () => filled('+')),
  form('plus signs to a page', () => filled('+', 'email='), { line: 'POST /users/sign_in' }),
  form('encoded letters in a value', () => filled('%61', 'push[payload]=')),
  form('percent signs', () => filled('%')),
  form('encoded brackets', () => filled('%5B')),
  form('brackets', () => filled('[')),
  form('brackets in a name', () => filled('[a]', 'push', '=1', 1000)),
  form('ampersands', () => filled('&')),
  form('line breaks to a page', () => filled('\r\n', 'push[payload]='), { line: 'POST /' }),
  form('quotes to a page', () => filled('"', 'push[payload]='), { line: 'POST /' }),
  form('equals signs', () => filled('=')),
  form('fields', () => filled('a=1&')),
  form('nested fields', () => filled(`push${'[a]'.repeat(30)}=1&`, '', '', 95_000)),
  form('a list', () => filled('push[payload][]=1&', '', '', 17_000)),
  form('a value in one-byte chunks', () => inChunks(filled('a', 'push[payload]=', '', MIB / 4)), {
    headers: [CHUNKED],
  }),
  typed('JSON', `${JSON_TYPE}; charset=utf-7`)('UTF-7', () => filled('+AGE-')),
  typed('a form', `${FORM_TYPE}; charset=utf-7`)('UTF-7', () => filled('+AGE-', 'push[payload]=')),
  parts('a field in UTF-7', () =>
    filled('+AGE-', `${FIELD}\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n`, END),
  ),
];

/** Bodies that announce a length far above the limit, or never end. */
export const ENDLESS_BODIES: CostlyRequest[] = [
  ['JSON', JSON_TYPE] as const,
  ['a form', FORM_TYPE] as const,
  ['a multipart form', FORM_DATA] as const,
].flatMap(([kind, type]) => [
  typed(kind, type)('2 GB', () => filled(' ', '', '', 40 * MIB), { headers: [`Content-Length: ${TWO_GB}`] }),
  typed(kind, type)(
    'any number of chunks',
    () => filled(`400\r\n${' '.repeat(1024)}\r\n`, '', '', 40 * MIB),
    {
      headers: [CHUNKED],
    },
  ),
]);

/** Other routes that bodies can be sent to. */
const PLACES = [
  ...['POST /p.json', 'POST /f.json', 'POST /r.json', 'POST /', 'POST /users/sign_in', 'POST /users/sign_up'],
  ...['POST /p/$open', 'POST /p/$open/delete', 'DELETE /api/v2/pushes/$open', 'GET /api/v2/version'],
  ...['POST /api/v2/nothing', 'PUT /api/v2/pushes', 'POST /users/token'],
];

/** The same bodies sent to all other routes. */
export function elsewhere(requests: CostlyRequest[]): CostlyRequest[] {
  return PLACES.flatMap((line) =>
    requests
      .filter((request) => request.line === undefined)
      .map((request) => ({ ...request, name: `${request.name} to ${line}`, line, withSession: true })),
  );
}

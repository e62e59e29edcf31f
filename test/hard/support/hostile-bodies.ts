import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { paths } from '../../support/openapi.js';
import { longBody } from './long-bodies.js';
import { jsonText, MARKER, secretText, text } from './hostile-values.js';

const { content } = paths['/api/v2/pushes'].post.requestBody;

/** The fields of a push in the OpenAPI document, with their schemas. */
const FIELDS: [name: string, schema: any][] = Object.entries(
  content['application/json'].schema.properties.push.properties,
);
/**
 * How often a field is present or absent. A passphrase costs a slow hash, few kinds accept any payload, and the server of
 * this test sends no mails. What opens later, or elsewhere, is not shown.
 */
const PRESENCE: Record<string, [present: number, absent: number]> = {
  payload: [15, 1],
  passphrase: [1, 15],
  kind: [1, 8],
  files: [1, 8],
  notify_emails_to: [1, 30],
  notify_on: [1, 30],
  opens_at: [1, 30],
  allowed_networks: [1, 30],
  recipients: [1, 30],
  once_per_recipient: [1, 8],
};
const SECRET_FIELDS = ['payload', 'passphrase'];
const BOUNDARY = 'a-boundary';

export interface Body {
  /** The Content-Type header; undefined for none. */
  type?: string;
  /** The Content-Encoding header. */
  encoding?: string;
  bytes: Buffer;
  /** The push that a correct parser reads from it; undefined when it may be unreadable. */
  push?: Record<string, unknown>;
}

type Field = [name: string, value: string];

/** A body with a push under this key. */
export function hostileBody(key: string): fc.Arbitrary<Body> {
  const whole = fc.oneof(jsonBody(key), formBody(key), multipartBody(key));
  return fc.oneof(
    { weight: 32, arbitrary: whole },
    { weight: 4, arbitrary: whole.map(compressed) },
    { weight: 8, arbitrary: fc.tuple(whole, damage).map(([body, apply]) => apply(body)) },
    { weight: 4, arbitrary: fc.constantFrom(...ODD_BODIES) },
    { weight: 1, arbitrary: longBody },
  );
}

function fieldsOf(valueOf: (name: string, schema: any) => fc.Arbitrary<string>): fc.Arbitrary<Field[]> {
  const known = FIELDS.map(([name, schema]) => {
    const [present, absent] = PRESENCE[name] ?? [1, 2];
    return fc.oneof(
      { weight: absent, arbitrary: fc.constant([]) },
      { weight: present, arbitrary: valueOf(name, schema).map((value): Field[] => [[name, value]]) },
    );
  });
  const unknown = fc.tuple(
    fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'rules', 'id', 'user_id', 'payload')),
    valueOf('', {}),
  );
  return fc
    .tuple(fc.tuple(...known), fc.array(unknown, { maxLength: 2 }))
    .map(([fields, others]) => [...fields.flat(), ...others]);
}

/** Mostly a value that fits the schema, in JSON. */
function jsonValue(name: string, schema: any): fc.Arbitrary<string> {
  const fitting = fittingValue(name, schema).map((value) => JSON.stringify(value));
  return fc.oneof({ weight: 15, arbitrary: fitting }, { weight: 1, arbitrary: hostileJson(name) });
}

function hostileJson(name: string): fc.Arbitrary<string> {
  const marked = jsonText.map((value) => (value.startsWith('"') ? `"${MARKER}${value.slice(1)}` : value));
  return SECRET_FIELDS.includes(name) ? marked : fc.oneof(jsonText, marked);
}

function formValue(name: string, schema: any): fc.Arbitrary<string> {
  const hostile = SECRET_FIELDS.includes(name) ? secretText : markedText;
  return fc.oneof(
    { weight: 15, arbitrary: fittingValue(name, schema).map(inForm) },
    { weight: 1, arbitrary: hostile },
  );
}

/** In forms, files are separate parts. */
function inForm(value: unknown): string {
  return Array.isArray(value) ? '' : String(value);
}

function fittingValue(name: string, { type, enum: values, minimum, maximum }: any): fc.Arbitrary<unknown> {
  if (name === 'payload')
    return fc.oneof({ weight: 4, arbitrary: secretText }, { weight: 1, arbitrary: address });
  if (name === 'passphrase') return secretText;
  if (values) return fc.constantFrom(...(values as string[]));
  if (type === 'integer') {
    const anywhere = fc.integer({ min: minimum as number, max: maximum as number });
    return fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: anywhere },
    );
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(file, { maxLength: 2 });
  return markedText;
}

/** Texts that are not secret must not be quoted either. */
const markedText = fc.oneof(text, secretText);
const address = text.map((some) => `https://a.example/${MARKER}${encodeURIComponent(some)}`);
const file = fc.record({ filename: markedText, content_type: markedText, content: fc.base64String() });

function jsonBody(key: string): fc.Arbitrary<Body> {
  const charset = fc.constantFrom('utf-8', 'utf-8', 'UTF-8', 'utf-16le');
  return fc.tuple(fieldsOf(jsonValue), charset).map(([fields, name]) => {
    const push = `{${fields.map(([field, value]) => `${JSON.stringify(field)}:${value}`).join(',')}}`;
    const bytes = Buffer.from(`{${JSON.stringify(key)}:${push}}`, name === 'utf-16le' ? 'utf16le' : 'utf8');
    return { type: `application/json; charset=${name}`, bytes, push: JSON.parse(push) };
  });
}

function formBody(key: string): fc.Arbitrary<Body> {
  return fieldsOf(formValue).map((fields) => {
    const encoded = new URLSearchParams(fields.map(([name, value]) => [`${key}[${name}]`, value]));
    return {
      type: 'application/x-www-form-urlencoded',
      bytes: Buffer.from(encoded.toString()),
      push: intact(fields),
    };
  });
}

function multipartBody(key: string): fc.Arbitrary<Body> {
  const files = fc.array(fc.tuple(markedText, fc.uint8Array({ maxLength: 100 })), { maxLength: 2 });
  return fc.tuple(fieldsOf(formValue), fc.oneof(fc.constant([]), files)).map(([fields, some]) => ({
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([
      ...fields.map(([name, value]) => part(`name="${quoted(`${key}[${name}]`)}"`, value)),
      ...some.map(([name, bytes]) => part(`name="${key}[files][]"; filename="${quoted(name)}"`, bytes)),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]),
    push: intact(fields),
  }));
}

function part(disposition: string, bytes: string | Uint8Array): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes as Uint8Array), Buffer.from('\r\n')]);
}

/** As browsers do (the HTML standard). */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

/** The content of a form, if each name is plain and occurs once. */
function intact(fields: Field[]): Record<string, unknown> | undefined {
  const names = fields.map(([name]) => name);
  const isPlain = names.every((name) => /^[a-z_]+$/.test(name)) && new Set(names).size === names.length;
  return isPlain ? Object.fromEntries(fields) : undefined;
}

function compressed(body: Body): Body {
  const ways = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const [encoding, compress] = Object.entries(ways)[body.bytes.length % 3] ?? ['gzip', gzipSync];
  const isForm = body.type?.startsWith('multipart/'); // clients do not compress these, and the server need not accept it
  return { ...body, encoding, bytes: compress(body.bytes), push: isForm ? undefined : body.push };
}

type Damage = (body: Body) => Body;

/** Text that makes a body invalid, inserted next to a secret, where an error that quotes its context would include it. */
const BREAKERS = [
  'x',
  '"x',
  '}x',
  '\\x',
  '\0',
  '\n',
  '%ZZ',
  '%ff',
  '\xff',
  '=',
  `\r\n--${BOUNDARY}x\r\n\r\n`,
];
const BEFORE_ITS_QUOTE = -1;

const instance = fc.double({ min: 0, max: 1, noNaN: true });
const TYPES = [
  'application/json; charset=utf-16be',
  'application/json; charset=latin1',
  `application/json; charset=${MARKER}`,
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset=utf-8',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/mixed; boundary=a-boundary',
  'text/plain',
  'application/xml',
  'application/json, text/plain',
  ';',
  '\xff',
  undefined,
];

/** Ways to damage a valid body. */
const damage: fc.Arbitrary<Damage> = fc
  .oneof(
    instance.map((where): Damage => ({ bytes, ...body }) => ({
      ...body,
      bytes: bytes.subarray(0, where * bytes.length),
    })),
    fc
      .tuple(instance, fc.uint8Array({ minLength: 1, maxLength: 4 }))
      .map(([where, some]): Damage => ({ bytes, ...body }) => ({
        ...body,
        bytes: inserted(some, bytes, Math.floor(where * bytes.length)),
      })),
    fc
      .tuple(fc.constantFrom(BEFORE_ITS_QUOTE, 0, MARKER.length), fc.constantFrom(...BREAKERS))
      .map(([offset, breaker]): Damage => ({ bytes, ...body }) => {
        const at = Math.max(0, bytes.indexOf(MARKER) + offset);
        return { ...body, bytes: inserted(breaker, bytes, at) };
      }),
    fc.constantFrom(...TYPES).map((type): Damage => ({ bytes }) => ({ type, bytes })),
    fc
      .constantFrom('gzip', 'br', 'identity', MARKER)
      .map((encoding): Damage => ({ type, bytes }) => ({ type, bytes, encoding })),
  )
  .map((apply): Damage => (body) => ({ ...apply(body), push: undefined }));

function inserted(some: string | Uint8Array, bytes: Buffer, at: number): Buffer {
  const middle = typeof some === 'string' ? Buffer.from(some, 'latin1') : some;
  return Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at)]);
}

const ODD_BODIES: Body[] = [
  { bytes: Buffer.alloc(0) },
  { type: 'application/json', bytes: Buffer.from('null') },
  { type: 'application/json', bytes: Buffer.from('\ufeff{"push":{"payload":"a"}}') },
  { type: 'application/json', bytes: Buffer.from(`{"push":${'{"push":'.repeat(5000)}1${'}'.repeat(5001)}`) },
  { type: 'application/json', bytes: Buffer.from(`{"push":{"payload":"${'a'.repeat(300_000)}"}}`) },
  {
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from('push[payload]=%ZZ&push=1&push[=&]=&[]=1'),
  },
  { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(`push${'[a]'.repeat(1000)}=1`) },
  { type: 'application/x-www-form-urlencoded', bytes: Buffer.from('push[a]=1&'.repeat(2000)) },
  {
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from('push[__proto__][payload]=a&__proto__[push]=b'),
  },
  manyParts('name="push[payload]"'),
  manyParts('name="a"'),
  manyParts('name="push[files][]"; filename="a"'),
  manyParts('filename="a"'),
];

/** Bodies that parsers or validation rules might quote in their errors. */
export const QUOTABLE_BODIES: Body[] = [
  ...[
    MARKER,
    `{"push":${MARKER}}`,
    `{"push":{"payload":${MARKER}}}`,
    `{"push":{"payload":"a"}}${MARKER}`,
    `{"push":"${MARKER}"}`,
    `{"push":["${MARKER}"]}`,
    ...['payload', 'passphrase', 'name', 'note'].flatMap((field) => [
      `{"push":{"payload":"a","${field}":["${MARKER}"]}}`,
      `{"push":{"payload":"a","${field}":"${MARKER}${'a'.repeat(1_100_000)}"}}`,
    ]),
    ...FIELDS.map(([field]) => `{"push":{"payload":"a","${field}":{"${MARKER}":"${MARKER}"}}}`),
    ...['kind', 'files', 'expire_after_days', 'expire_after_duration', 'expire_after_views'].map(
      (field) => `{"push":{"payload":"a","${field}":"${MARKER}"}}`,
    ),
    `{"push":{"payload":"a","deletable_by_viewer":"${MARKER}","retrieval_step":"${MARKER}"}}`,
    `{"push":{"payload":"${MARKER}","kind":"url"}}`,
    `{"push":{"payload":"${MARKER.repeat(200)}","kind":"qr"}}`,
    `{"push":{"files":[{"filename":"${MARKER}","content_type":"${MARKER}","content":"${MARKER}!"}]}}`,
  ].map((text) => ({ type: 'application/json', bytes: Buffer.from(text) })),
  ...[
    `push[payload]=${MARKER}%ZZ`,
    `push[${MARKER}%ZZ]=a`,
    `push[payload]=${MARKER}\xff`,
    `push=${MARKER}`,
    `push[payload]=a&push[expire_after_days]=${MARKER}`,
  ].map((text) => ({ type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text, 'latin1') })),
  ...[
    part(`name="push[payload]"; filename*=${MARKER}`, MARKER),
    part(`name="${MARKER}`, MARKER),
    part(MARKER, MARKER),
    part('name="push[payload]"', `${MARKER}\xff`),
    part('name="push[files][]"', MARKER),
    part(`name="${MARKER}"; filename="${MARKER}"`, MARKER),
  ].flatMap((some) => [
    { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: some },
    {
      type: `multipart/form-data; boundary=${BOUNDARY}`,
      bytes: Buffer.concat([some, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    },
  ]),
  { type: `application/${MARKER}`, bytes: Buffer.from('{}') },
  { type: `application/json; charset=${MARKER}`, bytes: Buffer.from('{}') },
  { type: 'application/json', encoding: MARKER, bytes: Buffer.from('{}') },
  { type: 'application/json', encoding: 'gzip', bytes: Buffer.from(MARKER) },
];

function manyParts(disposition: string): Body {
  const parts = Array.from({ length: 3000 }, () => part(disposition, 'a'));
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

import type { CostlyRequest } from './costly-request.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const HEAD = 12 * KIB;
const SHORT_FORM = 63 * KIB;
const JSON_BODY = 12 * MIB;

/** A text of so many bytes at most. */
type Text = (bytes: number) => string;

const repeated =
  (unit: string): Text =>
  (bytes) =>
    `a${unit.repeat((bytes - 1) / Buffer.byteLength(unit))}`;

/** Texts that take long to normalize, to match or to look at. */
export const LONG_TEXTS: Record<string, Text> = {
  'marks in no canonical order': repeated('\u0301\u0316'),
  marks: repeated('\u0301'),
  'letters that become eighteen': repeated('\ufdfa'),
  'parts of syllables': repeated('\u1100\u1161\u11a8'),
  'capitals that become two letters': repeated('\u0130'),
  'signs joined to one': repeated('\u{1f468}\u200d'),
  'signs of two units': repeated('\u{1d15e}'),
  spaces: repeated(' '),
  'at signs and dots': repeated('@a.'),
};

/** Texts that read as others. */
export const DISGUISED_TEXTS: Record<string, Text> = {
  'signs that turn the order around': repeated('\u202e'),
  'signs without width': repeated('\u200b\u2060'),
  'tags that nobody sees': repeated('\u{e0041}'),
  'encoded slashes and at signs': repeated('%2f@'),
};

type Place = (text: Text) => CostlyRequest;

const json =
  (name: string, bytes: number, fields: (text: string) => object, more: Partial<CostlyRequest> = {}): Place =>
  (text) => ({
    name,
    ...more,
    headers: ['Content-Type: application/json'],
    body: () => Buffer.from(JSON.stringify(fields(text(bytes)))),
  });
const push = (name: string, bytes: number, fields: (text: string) => object) =>
  json(name, bytes, (text) => ({ push: { payload: 'a', ...fields(text) } }));
const file = (name: string, fields: (text: string) => object) =>
  json(name, JSON_BODY, (text) => ({ push: { files: [{ filename: 'a', content: '', ...fields(text) }] } }), {
    withToken: true,
  });
const form =
  (name: string, line: string, fields: string, more: Partial<CostlyRequest> = {}): Place =>
  (text) => ({
    name,
    line,
    ...more,
    headers: ['Content-Type: application/x-www-form-urlencoded'],
    body: () => Buffer.from(fields + text(SHORT_FORM)),
  });
const address =
  (name: string, path: string): Place =>
  (text) => ({ name, line: `GET ${path}${encodeURIComponent(text(HEAD / 3))}` });

/** Where a client may send a text of a push. */
export const TEXTS_OF_PUSHES: Place[] = [
  push('a payload', MIB, (payload) => ({ payload })),
  push('a payload that is too long', JSON_BODY, (payload) => ({ payload })),
  push('a name', JSON_BODY, (name) => ({ name })),
  push('a note', JSON_BODY, (note) => ({ note })),
  push('a kind', JSON_BODY, (kind) => ({ kind })),
  push('a number', JSON_BODY, (number) => ({ expire_after_views: `1${number}` })),
  push('a URL', 8 * KIB, (text) => ({ kind: 'url', payload: `https://a.example/${text}` })),
  push('a URL that is too long', JSON_BODY, (text) => ({
    kind: 'url',
    payload: `https://a.example/${text}`,
  })),
  push('a host', 8 * KIB, (text) => ({ kind: 'url', payload: `https://${text}.example/` })),
  push('a QR code', KIB, (payload) => ({ kind: 'qr', payload })),
  file('a file name', (filename) => ({ filename })),
  file('the type of a file', (type) => ({ content_type: `text/plain;${type}` })),
  (text) => ({
    name: 'a file name in a form',
    headers: ['Content-Type: multipart/form-data; boundary=b'],
    body: () =>
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="${text(HEAD)}"\r\n\r\na\r\n--b--\r\n`,
      ),
  }),
  form('a payload on the page', 'POST /', 'push[payload]='),
  form('a name on the page', 'POST /', 'push[payload]=a&push[name]='),
];

/** Where a client may send a passphrase, a password or an e-mail address. */
export const CREDENTIALS: Place[] = [
  push('a passphrase for a push', JSON_BODY, (passphrase) => ({ passphrase })),
  json(
    'a passphrase for a push of version 1',
    JSON_BODY,
    (text) => ({ password: { payload: 'a', passphrase: text } }),
    {
      line: 'POST /p.json',
    },
  ),
  address('a passphrase', '/api/v2/pushes/$protected?passphrase='),
  address('a passphrase of version 1', '/p/$protected.json?passphrase='),
  (text) => ({
    name: 'a passphrase in a header',
    line: 'GET /api/v2/pushes/$protected',
    headers: [`X-Push-Passphrase: ${encodeURIComponent(text(HEAD / 3))}`],
  }),
  form('a passphrase on the page', 'POST /p/$protected', 'passphrase='),
  form('a password', 'POST /users/sign_in', 'email=a@example.org&password='),
  form('an e-mail address', 'POST /users/sign_in', 'password=seven+wide+rivers&email='),
  form('a page to go on to', 'POST /users/sign_in', 'email=a@example.org&password=b&next='),
  form('a new password', 'POST /users/sign_up', 'email=a@example.org&password='),
  form('a new e-mail address', 'POST /users/sign_up', 'password=seven+wide+rivers&email=a@'),
  form('the name of a token', 'POST /users/token', 'name=', { withSession: true }),
  form('the password to an account', 'POST /users/edit/delete', 'password=', { withSession: true }),
];

/** All texts at all places; or each text, and each place, once. */
export function textsAt(texts: Record<string, Text>, places: Place[], isEach: boolean): CostlyRequest[] {
  const all = Object.entries(texts);
  return places.flatMap((place, index) => {
    const some = isEach ? all : all.slice(index % all.length, (index % all.length) + 1);
    return some.map(([name, text]) => {
      const request = place(text);
      return { ...request, name: `${name} as ${request.name}` };
    });
  });
}

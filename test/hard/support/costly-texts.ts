import type { CostlyRequest } from './costly-request.js';
import { KIB, MIB } from '../../../src/platform/settings/units.js';

const HEAD = 12 * KIB;
const SHORT_FORM = 63 * KIB;
const JSON_BODY = 12 * MIB;

/** Makes a text of at most `bytes` bytes. */
type Text = (bytes: number) => string;

const repeated =
  (unit: string): Text =>
  (bytes) =>
    `a${unit.repeat((bytes - 1) / Buffer.byteLength(unit))}`;

/** Texts that take long to normalize, match or scan. */
export const LONG_TEXTS: Record<string, Text> = {
  'combining marks out of canonical order': repeated('\u0301\u0316'),
  'combining marks': repeated('\u0301'),
  'letters that normalize to eighteen': repeated('\ufdfa'),
  'parts of syllables': repeated('\u1100\u1161\u11a8'),
  'capitals that become two letters': repeated('\u0130'),
  'joined emoji': repeated('\u{1f468}\u200d'),
  'characters of two code units': repeated('\u{1d15e}'),
  spaces: repeated(' '),
  'at signs and dots': repeated('@a.'),
};

/** Texts that look like other texts. */
export const DISGUISED_TEXTS: Record<string, Text> = {
  'right-to-left overrides': repeated('\u202e'),
  'zero-width characters': repeated('\u200b\u2060'),
  'invisible tag characters': repeated('\u{e0041}'),
  'encoded slashes and at signs': repeated('%2f@'),
};

type Instance = (text: Text) => CostlyRequest;

const json =
  (
    name: string,
    bytes: number,
    fields: (text: string) => object,
    more: Partial<CostlyRequest> = {},
  ): Instance =>
  (text) => ({
    name,
    ...more,
    headers: ['Content-Type: application/json'],
    body: () => Buffer.from(JSON.stringify(fields(text(bytes)))),
  });
const push = (name: string, bytes: number, fields: (text: string) => object) =>
  json(name, bytes, (text) => ({ push: { payload: 'a', ...fields(text) } }));
const file = (name: string, bytes: number, fields: (text: string) => object) =>
  json(name, bytes, (text) => ({ push: { files: [{ filename: 'a', content: '', ...fields(text) }] } }), {
    withToken: true,
  });
const form =
  (name: string, line: string, fields: string, more: Partial<CostlyRequest> = {}): Instance =>
  (text) => ({
    name,
    line,
    ...more,
    headers: ['Content-Type: application/x-www-form-urlencoded'],
    body: () => Buffer.from(fields + text(SHORT_FORM)),
  });
const address =
  (name: string, path: string): Instance =>
  (text) => ({ name, line: `GET ${path}${encodeURIComponent(text(HEAD / 3))}` });

/** Requests in which a client may send a text of a push. */
export const TEXTS_OF_PUSHES: Instance[] = [
  push('a payload', MIB, (payload) => ({ payload })),
  push('a payload that is too long', JSON_BODY, (payload) => ({ payload })),
  push('a name', JSON_BODY, (name) => ({ name })),
  push('a note', JSON_BODY, (note) => ({ note })),
  push('a kind', JSON_BODY, (kind) => ({ kind })),
  push('a number', JSON_BODY, (number) => ({ expire_after_views: `1${number}` })),
  push('a switch', JSON_BODY, (text) => ({ deletable_by_viewer: text })),
  push('email addresses', JSON_BODY, (text) => ({ notify_emails_to: text })),
  push('a list of email addresses', JSON_BODY, (text) => ({ notify_emails_to: ['a', text] })),
  push('networks', JSON_BODY, (text) => ({ allowed_networks: text })),
  push('a list of networks', JSON_BODY, (text) => ({ allowed_networks: ['::1', text] })),
  push('a time', JSON_BODY, (text) => ({ opens_at: `2100-01-01T00:00:00.${text}` })),
  push('recipients', JSON_BODY, (text) => ({ recipients: text })),
  push('a list of recipients', JSON_BODY, (text) => ({ recipients: ['@a.example', text] })),
  push('events', JSON_BODY, (text) => ({ notify_on: text })),
  push('a URL', 8 * KIB, (text) => ({ kind: 'url', payload: `https://a.example/${text}` })),
  push('a URL that is too long', JSON_BODY, (text) => ({
    kind: 'url',
    payload: `https://a.example/${text}`,
  })),
  push('a host', 8 * KIB, (text) => ({ kind: 'url', payload: `https://${text}.example/` })),
  push('a QR code', KIB, (payload) => ({ kind: 'qr', payload })),
  file('a file name', 33 * MIB, (filename) => ({ filename })),
  file('the type of a file', JSON_BODY, (type) => ({ content_type: `text/plain;${type}` })),
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

/** Requests in which a client may send a passphrase, a password or an email address. */
export const CREDENTIALS: Instance[] = [
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
  form('an email address', 'POST /users/sign_in', 'password=seven+wide+rivers&email='),
  form('the next page', 'POST /users/sign_in', 'email=a@example.org&password=b&next='),
  form('a new password', 'POST /users/sign_up', 'email=a@example.org&password='),
  form('a new email address', 'POST /users/sign_up', 'password=seven+wide+rivers&email=a@'),
  form('the name of a token', 'POST /users/token', 'name=', { withSession: true }),
  form('the password of an account', 'POST /users/edit/delete', 'password=', { withSession: true }),
];

/** Every text at every instance; without `isEach` one text at each instance, in turn. */
export function textsAt(
  texts: Record<string, Text>,
  instances: Instance[],
  isEach: boolean,
): CostlyRequest[] {
  const all = Object.entries(texts);
  return instances.flatMap((instance, index) => {
    const some = isEach ? all : all.slice(index % all.length, (index % all.length) + 1);
    return some.map(([name, text]) => {
      const request = instance(text);
      return { ...request, name: `${name} as ${request.name}` };
    });
  });
}

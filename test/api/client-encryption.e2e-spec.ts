import { ageFile, armoured, clientEncryptedPush } from '../support/age-files.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import type { ClientResponse } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { created, encoded, formOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { errorsOf } from '../support/openapi.js';
import { PREVIEWERS } from '../support/previewers.js';
import { startApp } from '../support/start-app.js';

const ONE = '/api/v2/pushes/{url_token}';
const NOT_ENCRYPTED = {
  payload: [
    'must be an armoured age file with one scrypt stanza of work factor at most 20, when client_encrypted is true',
  ],
};
const NO_PROOF = { passphrase: ['must be 43 characters of base64url when client_encrypted is true'] };
const OTHER_KIND = { kind: ['must be text, or file with files, when client_encrypted is true'] };

type Fields = Record<string, unknown>;
type Encode = (key: string, fields: Fields) => { query?: string; body: object | string };

const entries = (key: string, fields: Fields) =>
  Object.entries(fields).map(([name, value]): [string, string] => [`${key}[${name}]`, String(value)]);
const query = (key: string, fields: Fields) => `?${new URLSearchParams(entries(key, fields)).toString()}`;
const form = (key: string, fields: Fields) => {
  const parts = new FormData();
  for (const [name, value] of entries(key, fields)) parts.append(name, value);
  return parts;
};
const ENCODINGS: [string, Encode][] = [
  ['JSON', (key, fields) => ({ body: { [key]: fields } })],
  ['JSON with text', (key, fields) => ({ body: { [key]: { ...fields, client_encrypted: 'Yes' } } })],
  ['an urlencoded form', (key, fields) => ({ body: new URLSearchParams(entries(key, fields)) })],
  ['a multipart form', (key, fields) => ({ body: form(key, fields) })],
  [
    'a form and the query',
    (key, { client_encrypted, ...fields }) => ({
      query: query(key, { client_encrypted }),
      body: form(key, fields),
    }),
  ],
];
const CREATE_PATHS = [
  ['/api/v2/pushes', 'push'],
  ['/p.json', 'password'],
] as const;

describe('A push that its client has encrypted', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => running.newUser());

  const post = (push: Fields) => owner.client.post('/api/v2/pushes', { push });
  const share = async (fields: Fields = {}) => {
    const push = clientEncryptedPush();
    return { ...push, urlToken: (await owner.client.push({ ...push, ...fields })).url_token as string };
  };
  const retrieve = (urlToken: string, proof?: string, from = '198.51.100.1') => {
    const headers = { 'X-Forwarded-For': from, ...(proof !== undefined && { 'X-Push-Passphrase': proof }) };
    return running.anonymous.with(headers).get(`/api/v2/pushes/${urlToken}`);
  };

  /** Every response about a push, from its creation to after its end. */
  async function responsesAbout(fields: Fields): Promise<Record<string, ClientResponse>> {
    const { client } = await running.newUser();
    const create = await client.post('/api/v2/pushes', { push: { ...fields, expire_after_views: 3 } });
    const path = `/api/v2/pushes/${create.body.url_token}`;
    const legacy = `/p/${create.body.url_token}.json`;
    const reader = client.with({ 'X-Push-Passphrase': String(fields.passphrase) });
    return {
      create,
      preview: await client.get(`${path}/preview`),
      retrieve: await reader.get(path),
      'retrieve of v1': await reader.get(legacy),
      active: await client.get('/api/v2/pushes/active'),
      delete: await client.delete(path),
      'retrieve after the end': await client.get(path),
      expired: await client.get('/api/v2/pushes/expired'),
      'expired of v1': await client.get('/p/expired.json'),
    };
  }

  it('is marked in every response about it', async () => {
    const responses = await responsesAbout(clientEncryptedPush());

    for (const [name, { body }] of Object.entries(responses))
      expect([name, [body].flat()]).toEqual([name, [expect.objectContaining({ client_encrypted: true })]]);
    expect(errorsOf('post', '/api/v2/pushes', responses.create as ClientResponse)).toEqual([]);
    expect(errorsOf('get', ONE, responses.retrieve as ClientResponse)).toEqual([]);
    expect(errorsOf('get', `${ONE}/preview`, responses.preview as ClientResponse)).toEqual([]);
    expect(errorsOf('get', '/api/v2/pushes/active', responses.active as ClientResponse)).toEqual([]);
    expect(errorsOf('delete', ONE, responses.delete as ClientResponse)).toEqual([]);
  });

  it.each([{}, { client_encrypted: false }, { client_encrypted: null }, { client_encrypted: '' }])(
    'is the only kind that is: nothing is in the responses to %j',
    async (fields) => {
      const responses = await responsesAbout({
        payload: armoured(ageFile()),
        passphrase: 'horse',
        ...fields,
      });

      expect(responses.create?.status).toBe(201);
      for (const [name, { body }] of Object.entries(responses))
        expect([name, JSON.stringify(body)]).toEqual([name, expect.not.stringContaining('encrypted')]);
    },
  );

  describe.each(CREATE_PATHS)('at %s', (path, key) => {
    it.each(ENCODINGS)('may be sent in %s, but not unencrypted', async (_name, encode) => {
      const fields = clientEncryptedPush();
      const send = ({ query: inQuery = '', body }: ReturnType<Encode>) =>
        running.anonymous.post(path + inQuery, body);
      const { status, body } = await send(encode(key, fields));
      const { body: retrieved } = await retrieve(body.url_token as string, fields.passphrase);

      expect([status, body.client_encrypted, body.kind]).toEqual([201, true, 'text']);
      expect(retrieved.payload.replace(/\r\n/g, '\n')).toBe(fields.payload); // multipart ends lines with CRLF
      expect(await send(encode(key, { ...fields, payload: 'correct horse' }))).toMatchObject({
        status: 422,
        body: NOT_ENCRYPTED,
      });
    });
  });

  it.each<[string, Fields, Fields]>([
    ['unencrypted', { payload: 'correct horse' }, NOT_ENCRYPTED],
    ['without a payload', { payload: '' }, { payload: ["can't be blank"] }],
    [
      'for a key pair',
      { payload: armoured(Buffer.from(`age-encryption.org/v1\n-> X25519 ${'A'.repeat(300)}`)) },
      NOT_ENCRYPTED,
    ],
    ['too costly to open', { payload: armoured(ageFile(300, '21')) }, NOT_ENCRYPTED],
    ['without a passphrase', { passphrase: null }, NO_PROOF],
    ['with an empty passphrase', { passphrase: '' }, NO_PROOF],
    ['with a passphrase of a person', { passphrase: 'correct horse' }, NO_PROOF],
    ['with a passphrase that is no text', { passphrase: 7 }, { passphrase: ['must be a string'] }],
    ['as a URL', { kind: 'url', payload: 'https://example.org' }, { ...OTHER_KIND, ...NOT_ENCRYPTED }],
    ['as a QR code', { kind: 'qr' }, OTHER_KIND],
    ['as a file without one', { kind: 'file' }, { files: ['must have at least one file'] }],
    ['as maybe encrypted', { client_encrypted: 'perhaps' }, { client_encrypted: ['must be true or false'] }],
    [
      'with nothing encrypted',
      { payload: 'x', passphrase: 'y', kind: 'url' },
      { ...OTHER_KIND, ...NO_PROOF, payload: expect.any(Array) },
    ],
  ])('is rejected %s', async (_how, fields, errors) => {
    const { status, body } = await post({ ...clientEncryptedPush(), ...fields });

    expect([status, body]).toEqual([422, errors]);
  });

  it('may not be of a kind that is always another', async () => {
    expect(await owner.client.post('/r.json', { url: clientEncryptedPush() })).toMatchObject({
      status: 422,
      body: OTHER_KIND,
    });
  });

  it.each(['as a form', 'as JSON'])('may have files, sent %s, each of them encrypted', async (how) => {
    const files = [ageFile(), ageFile(100_000)].map((content, i) => ({
      name: `${i}.age`,
      type: 'application/age',
      content,
    }));
    const { client_encrypted, ...rest } = clientEncryptedPush();
    const push = { client_encrypted: String(client_encrypted), ...rest };
    const body = how === 'as JSON' ? { push: { ...push, files: encoded(files) } } : formOf(files, push);
    const { kind, url_token } = created(await owner.client.post('/api/v2/pushes', body));
    const links = (await retrieve(url_token, push.passphrase)).body.files;

    expect(kind).toBe('file');
    expect(links).toMatchObject(
      [0, 1].map((i) => ({ filename: `${i}.age`, content_type: 'application/age' })),
    );
    for (const [i, { url }] of links.entries()) {
      const bytes = Buffer.from(await (await fetch(url as string)).arrayBuffer());
      expect(bytes.equals(files[i]?.content ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('opens with its proof only, and a wrong one uses no view (A10)', async () => {
    const { urlToken, payload, passphrase } = await share({ expire_after_views: 1 });
    const missing = await retrieve(urlToken);
    const wrong = [passphrase.slice(1), `${passphrase}=`, clientEncryptedPush().passphrase];
    for (const answer of [missing, ...(await Promise.all(wrong.map((proof) => retrieve(urlToken, proof))))]) {
      expect(answer).toMatchObject({ status: 401, body: { status: 'unauthorized' } });
      expect(JSON.stringify(answer.body)).not.toContain('AGE');
    }

    expect(await retrieve(urlToken, passphrase)).toMatchObject({
      status: 200,
      body: { payload, views_remaining: 0, expired: false, passphrase: null },
    });
    expect(tally(await auditKinds(owner.client, urlToken))).toEqual({
      creation: 1,
      failed_passphrase: wrong.length,
      view: 1,
    });
  });

  it('has its proofs counted as passphrases are (B1)', async () => {
    const { urlToken, passphrase } = await share();
    const wrong = clientEncryptedPush().passphrase;
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await retrieve(urlToken, wrong)).status);

    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await retrieve(urlToken, passphrase, '198.51.100.2')).status).toBe(200);
  });

  it('is opened by exactly one of 50 concurrent readers when it has one view (A1)', async () => {
    const { urlToken, passphrase, payload } = await share({ expire_after_views: 1 });
    const answers = await allAtOnce(50, (reader) => retrieve(urlToken, passphrase, `198.51.100.${reader}`));

    const { 503: tooBusy = 0, ...others } = outcomes(answers, payload); // of a database on a loaded machine
    expect(others).toEqual({ shown: 1, expired: 49 - tooBusy });
  });

  it('is not used up by anything that visits its link (A9, H6)', async () => {
    const { urlToken, passphrase } = await share({ expire_after_views: 1 });
    for (const agent of PREVIEWERS) {
      const visitor = running.anonymous.with({ 'User-Agent': agent });
      for (const path of [`/p/${urlToken}`, `/p/${urlToken}/r`, `/p/${urlToken}/preview`]) {
        expect(await visitor.get(path)).toMatchObject({
          status: 200,
          body: expect.not.stringContaining('AGE'),
        });
        expect((await visitor.head(path)).status).toBe(200);
      }
    }

    expect((await retrieve(urlToken, passphrase)).body.views_remaining).toBe(0);
    expect(await auditKinds(owner.client, urlToken)).toEqual(['creation', 'view']);
  });
});

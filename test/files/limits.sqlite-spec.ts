import { apiText } from '../../src/platform/errors/problem.js';
import { NOT_AGE_FILES } from '../../src/files/age-header.js';
import { ageFile, armoured, clientEncryptedPush } from '../support/age-files.js';
import { beginForm } from '../support/begin-form.js';
import { created, encoded, formOf, linksOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { startDisk, STORES } from '../support/stores.js';

const LIMITS = { MAX_FILES: '3', MAX_FILE_SIZE: '100000', MAX_PUSH_SIZE: '150000' };

const filesOf = (...sizes: number[]) =>
  sizes.map((size, i) => ({ name: `${i}.bin`, content: Buffer.alloc(size, 1) }));

/** A form with fields after its files. */
function said(form: FormData, fields: Record<string, string>): FormData {
  for (const [name, value] of Object.entries(fields)) form.append(`push[${name}]`, value);
  return form;
}

const TOO_MUCH: [what: string, sizes: number[], message: string][] = [
  ['one file too many', [1, 1, 1, 1], 'must be at most 3 files'],
  ['one byte too many in a file', [1, 100_001], 'must have at most 100000 bytes each'],
  ['one byte too many in total', [75_000, 75_001], 'must have at most 150000 bytes in all'],
  ['far too many bytes in a file', [5_000_000], 'must have at most 100000 bytes each'],
];

describe.each(STORES)('File limits on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start, LIMITS));

  it.each([[[1, 1, 1]], [[1, 100_000]], [[75_000, 75_000]]])(
    'accept exactly the limit: %j',
    async (sizes) => {
      const { client } = running.user;
      const form = created(await client.post('/api/v2/pushes', formOf(filesOf(...sizes))));
      const json = created(
        await client.post('/api/v2/pushes', { push: { files: encoded(filesOf(...sizes)) } }),
      );

      for (const { url_token } of [form, json]) {
        expect(await linksOf(running.anonymous, url_token)).toHaveLength(sizes.length);
      }
    },
  );

  it.each(TOO_MUCH)('reject %s in a form, and store nothing (F2, F6)', async (_what, sizes, message) => {
    const kept = await running.store.paths();
    const { status, body } = await running.user.client.post('/api/v2/pushes', formOf(filesOf(...sizes)));

    expect(status).toBe(422);
    expect(body).toEqual({ files: [message] });
    expect(await running.store.paths()).toEqual(kept);
  });

  it.each(TOO_MUCH)('reject %s in JSON, and store nothing (F2, F6)', async (_what, sizes, message) => {
    const kept = await running.store.paths();
    const push = { files: encoded(filesOf(...sizes)) };
    const { status, body } = await running.user.client.post('/api/v2/pushes', { push });

    expect(status).toBe(422);
    expect(body).toEqual({ files: [message] });
    expect(await running.store.paths()).toEqual(kept);
  });

  it('store nothing of a push that is rejected because of another field (F4)', async () => {
    const kept = await running.store.paths();
    const send = (fields: Record<string, string>) =>
      running.user.client.post('/api/v2/pushes', formOf(filesOf(70_000, 10), fields));

    expect(await send({ expire_after_days: '91' })).toMatchObject({
      status: 422,
      body: { expire_after_days: ['must be a whole number from 1 to 90'] },
    });
    expect((await send({ kind: 'url', payload: 'javascript:alert(1)' })).status).toBe(422);
    expect((await send({ kind: 'text' })).status).toBe(422);
    expect(await running.store.paths()).toEqual(kept);
  });

  describe('when the client has encrypted the push', () => {
    const encrypted = { name: '0.age', content: ageFile(70_000) };
    const clear = { name: '1.age', content: 'correct horse '.repeat(5000) };
    const fields = { ...clientEncryptedPush(), client_encrypted: 'true' };
    const refusal = { status: 422, body: { files: [apiText(NOT_AGE_FILES)] } };

    it.each<[string, () => object]>([
      ['a form', () => formOf([encrypted, clear], fields)],
      ['a form that says so at its end', () => said(formOf([encrypted, clear]), fields)],
      ['JSON', () => ({ push: { ...fields, files: encoded([encrypted, clear]) } })],
      ['a form with an empty file', () => formOf([encrypted, { name: '1.age', content: '' }], fields)],
      ['a form with a short file', () => formOf([{ name: '0.age', content: 'age' }], fields)],
      ['a form with an armoured file', () => formOf([{ ...clear, content: armoured(ageFile()) }], fields)],
    ])('reject what is not encrypted in %s, and store nothing', async (_how, body) => {
      const kept = await running.store.paths();

      expect(await running.user.client.post('/api/v2/pushes', body())).toMatchObject(refusal);
      expect(await running.store.paths()).toEqual(kept);
    });

    it('reject an unencrypted file as soon as its first bytes have arrived', async () => {
      const kept = await running.store.paths();
      const { status, body } = await beginForm(running.user.client, 'x'.repeat(150), {}, fields).response;

      expect({ status, body: JSON.parse(body) }).toEqual(refusal);
      expect(await running.store.paths()).toEqual(kept);
    });

    it('accept a header that arrives in pieces', async () => {
      const { sending, response } = beginForm(
        running.user.client,
        encrypted.content.subarray(0, 1),
        {},
        fields,
      );
      for (const byte of encrypted.content.subarray(1, 200)) sending.write(Buffer.of(byte));
      sending.end(Buffer.concat([encrypted.content.subarray(200), Buffer.from('\r\n--b--\r\n')]));

      expect((await response).status).toBe(201);
    });
  });

  it('store nothing of a form that is not a push, or is incomplete', async () => {
    const kept = await running.store.paths();
    const form = formOf(filesOf(70_000));
    form.append('push', 'a text where an object belongs');
    const noPush = new FormData();
    noPush.append('push', 'a text where an object belongs');
    noPush.append('push[files][]', new Blob(['hello']), 'a.txt');
    const torn =
      '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a.txt"\r\n\r\nhello and';

    expect((await running.user.client.post('/api/v2/pushes', form)).status).toBe(400);
    expect((await running.user.client.post('/api/v2/pushes', noPush)).status).toBe(400);
    for (const type of ['multipart/form-data; boundary=b', 'multipart/form-data']) {
      const { status, body } = await running.user.client.send('POST', '/api/v2/pushes', torn, {
        'Content-Type': type,
      });
      expect({ status, body }).toEqual({ status: 400, body: { error: 'The body is not well-formed.' } });
    }
    expect(await running.store.paths()).toEqual(kept);
  });
});

describe('A form that is far too long', () => {
  const running = forAllTests(() => startWithStore(startDisk, LIMITS));

  it('is rejected before it is sent, when it has a Content-Length', async () => {
    const { response } = beginForm(running.user.client, '', { 'Content-Length': '10000000000' });
    const { status, body } = await response;

    expect(status).toBe(422);
    expect(JSON.parse(body)).toEqual({ files: ['must have at most 150000 bytes in all'] });
  });

  it('is rejected before its end, when it has no Content-Length', async () => {
    const { status, body } = await beginForm(running.user.client, 'x'.repeat(101_000)).response; // more than encryption adds

    expect(status).toBe(422);
    expect(JSON.parse(body)).toEqual({ files: ['must have at most 100000 bytes each'] });
    expect(await running.store.paths()).toEqual([]);
  });

  it('is rejected at its first file, when files are not allowed', async () => {
    const { status } = await beginForm(running.anonymous, 'hello').response;

    expect(status).toBe(401);
    expect(await running.store.paths()).toEqual([]);
  });
});

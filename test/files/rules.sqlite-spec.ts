import { randomBytes } from 'node:crypto';
import { created, download, encoded, formOf, linksOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

const FILES = [{ name: 'a.txt', type: 'text/plain', content: 'hello' }];
const LACKING = { files: ['must have at least one file'] };
const MALFORMED = {
  files: ['must be an array of objects with filename, content in base64 and, if known, content_type'],
};

describe('Files, as a rule,', () => {
  const running = forAllTests(startApp);
  const user = forAllTests(() => running.newUser());

  const post = (push: object) => user.client.post('/api/v2/pushes', { push });

  it.each([
    { kind: 'file' },
    { kind: 'file', files: [] },
    { kind: 'file', payload: 'a text is no file' },
    { files: [] },
    { files: [], payload: 'hello' },
  ])('are required for kind file: %j', async (push) => {
    expect(await post(push)).toMatchObject({ status: 422, body: LACKING });
  });

  it('may be null, and empty for another kind', async () => {
    expect(created(await post({ files: null, payload: 'hello' })).kind).toBe('text');
    expect(created(await post({ files: [], kind: 'text', payload: 'hello' })).kind).toBe('text');
  });

  it.each<unknown>([
    'hello',
    { 0: { filename: 'a', content: '' } },
    [null],
    ['aGVsbG8='],
    [[]],
    [{ filename: 'a.txt' }],
    [{ content: 'aGVsbG8=' }],
    [{ filename: 7, content: 'aGVsbG8=' }],
    [{ filename: 'a.txt', content: ['aGVsbG8='] }],
    [{ filename: 'a.txt', content: 'aGVsbG8=', content_type: 7 }],
    { toString: null },
    [{ toString: null }],
  ])('must be an array of objects in JSON: %j is rejected', async (files) => {
    expect(await post({ files })).toMatchObject({ status: 422, body: MALFORMED });
  });

  it.each([
    ['white space', 'aGVs bG8='],
    ['a line break', 'aGVsbG8=\n'],
    ['no padding', 'aGVsbG8'],
    ['too little padding', 'aGVsbA='],
    ['too much padding', 'aGVsbG8=='],
    ['padding alone', '===='],
    ['padding in the middle', 'aGU=bG8='],
    ['the URL-safe alphabet', '-_-_'],
    ['bits left over', 'aGVsbG9='],
    ['a data URL', 'data:text/plain;base64,aGVsbG8='],
    ['no base64 at all', 'hällo!!!'],
  ])('must be strict base64 in JSON: %s is rejected', async (_what, content) => {
    expect(await post({ files: [{ filename: 'a.txt', content }] })).toMatchObject({
      status: 422,
      body: MALFORMED,
    });
  });

  it('that are too long for JSON are rejected with a hint to multipart', async () => {
    const content = 'A'.repeat(35 * 1024 * 1024);
    const { status, body } = await post({ files: [{ filename: 'a.bin', content }] });

    expect(status).toBe(413);
    expect(body.error).toContain('multipart');
  });

  it('in JSON are returned as they were sent, when megabytes are written with escapes', async () => {
    const content = randomBytes(12_000_001);
    const base64 = content.toString('base64').replaceAll('/', '\\/').replaceAll('=', '\\u003d');
    const { body } = await sendRaw(running.url, {
      method: 'POST',
      path: '/api/v2/pushes',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${user.token}` },
      body: `{"push":{"payload":"tulip","files":[{"filename":"a.bin","content":"${base64}"}]}}`,
    });
    const [url = ''] = await linksOf(running.anonymous, body.url_token as string);

    expect((await download(url)).bytes.equals(content)).toBe(true);
  });

  it.each([
    [
      'a character of another alphabet',
      (base64: string) => `${base64.slice(0, 5_000_000)}-${base64.slice(5_000_001)}`,
    ],
    ['padding in the middle', (base64: string) => `${base64.slice(0, 5_000_000)}=${base64.slice(5_000_001)}`],
    ['bits left over', (base64: string) => base64.replace(/.==$/, 'B==')],
    ['too little padding', (base64: string) => base64.slice(0, -1)],
  ])('of megabytes are rejected in JSON with %s', async (_what, changed) => {
    const content = changed(Buffer.alloc(12_000_001).toString('base64'));

    expect(await post({ files: [{ filename: 'a.bin', content }] })).toMatchObject({
      status: 422,
      body: MALFORMED,
    });
  });

  it('fit into JSON up to 25 MB', async () => {
    const content = Buffer.alloc(25_000_000, 7).toString('base64');
    expect((await post({ files: [{ filename: 'a.bin', content }] })).status).toBe(201);
  });

  it.each([
    ['JSON', () => ({ push: { files: encoded(FILES) } })],
    ['JSON, none', () => ({ push: { files: [], kind: 'text', payload: 'hello' } })],
    ['JSON, kind alone', () => ({ push: { kind: 'file' } })],
    ['a form', () => formOf(FILES)],
    ['a form, in addition to a text', () => formOf(FILES, { kind: 'text', payload: 'hello' })],
    ['a form, kind alone', () => formOf([], { kind: 'file' })],
    ['a form, none', () => formOf([], { 'files][': '', payload: 'hello' })],
    ['urlencoded, none', () => new URLSearchParams({ 'push[files][]': '', 'push[payload]': 'hello' })],
  ])('need a token in %s (C2)', async (_encoding, body) => {
    const { status, headers } = await running.anonymous.post('/api/v2/pushes', body());

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('in other fields are ignored', async () => {
    const form = formOf(FILES);
    form.append('avatar', new Blob([new Uint8Array([0xff, 0xfe, 0x00])]), 'b.png');
    const { url_token } = created(await user.client.post('/api/v2/pushes', form));
    const bare = new FormData();
    bare.append('push[payload]', 'hello');
    bare.append('avatar', new Blob([new Uint8Array([0xff, 0xfe, 0x00])]), 'b.png');

    expect(await linksOf(running.anonymous, url_token)).toHaveLength(1);
    expect((await running.anonymous.post('/api/v2/pushes', bare)).status).toBe(201);
  });
});

describe('Files without a token, if allowed,', () => {
  const running = forAllTests(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));

  it.each([
    ['a form', formOf(FILES)],
    ['JSON', { push: { files: encoded(FILES) } }],
  ])('are accepted in %s', async (_encoding, body) => {
    const { url_token } = created(await running.anonymous.post('/api/v2/pushes', body));
    const [url = ''] = await linksOf(running.anonymous, url_token);

    expect(String((await download(url)).bytes)).toBe('hello');
  });
});

describe('Files, when disabled,', () => {
  const running = forAllTests(() => startApp({ ENABLE_FILE_PUSHES: 'false' }));
  const user = forAllTests(() => running.newUser());

  it.each([
    ['a form', () => formOf(FILES, { kind: 'text', payload: 'hello' })],
    ['JSON', () => ({ push: { kind: 'text', payload: 'hello', files: encoded(FILES) } })],
    ['JSON that names no kind', () => ({ push: { payload: 'hello', files: encoded(FILES) } })],
  ])('are rejected in %s, with a token and without', async (_encoding, body) => {
    for (const client of [user.client, running.anonymous]) {
      expect(await client.post('/api/v2/pushes', body())).toMatchObject({
        status: 422,
        body: { files: ['cannot be attached: file pushes are disabled here'] },
      });
    }
  });

  it('remove the kind file, also from the version response', async () => {
    const { status, body } = await user.client.post('/api/v2/pushes', { push: { kind: 'file' } });
    const version = await running.anonymous.get('/api/v2/version');

    expect(status).toBe(422);
    expect(body).toEqual({ kind: ['must be one of those enabled here: text, url, qr'] });
    expect(version.body.features.pushes.file_attachments.enabled).toBe(false);
  });
});

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { armor, Encrypter } from 'age-encryption';
import type { ErrorCode, OpenedFile } from '../../packages/client/src/index.js';
import { SealpushClient } from '../../packages/client/src/index.js';
import { MIB } from '../../src/platform/settings/units.js';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const SETTINGS = { ENABLE_REQUESTS_API: 'true', MAX_FILE_SIZE: String(64 * MIB) };

describe('The library', () => {
  const running = forAllTests(() => startApp(SETTINGS));
  const owner = forAllTests(() => running.newUser());
  const client = () => new SealpushClient({ server: running.url, token: owner.token });
  const stranger = () => new SealpushClient({ server: 'https://push.example.org' });
  const contentOf = async (file: OpenedFile | undefined) =>
    buffer((await file?.stream()) ?? new Blob().stream());
  const codeOf = (action: Promise<unknown>): Promise<ErrorCode> =>
    action.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: unknown) => (error as { code: ErrorCode }).code,
    );

  it('sends a text that only the link opens, and no request has', async () => {
    const { link, isEncrypted, viewsRemaining } = await client().push({
      text: 'correct horse',
      expireAfterViews: 2,
    });
    const opened = await stranger().open(link);
    const [{ n: readable }] = await running.query(
      "SELECT COUNT(*) AS n FROM pushes WHERE payload LIKE '%horse%'",
    );

    expect([isEncrypted, viewsRemaining]).toEqual([true, 2]);
    expect(opened).toMatchObject({
      kind: 'text',
      text: 'correct horse',
      isEncrypted: true,
      viewsRemaining: 1,
    });
    expect(Number(readable)).toBe(0);
  });

  it.each([
    ['a web address', { url: 'https://example.org/a?b' }, { kind: 'url', text: 'https://example.org/a?b' }],
    ['a QR code', { qr: 'WIFI:T:WPA' }, { kind: 'qr', text: 'WIFI:T:WPA' }],
  ])('sends %s', async (_what, secret, expected) => {
    const { link } = await client().push(secret);

    expect(await stranger().open(link)).toMatchObject(expected);
  });

  it.each([
    ['small', 100_001],
    ['in parts', 20 * MIB],
  ])('sends files, %s, and decrypts them while they arrive', async (_how, size) => {
    const content = randomBytes(size);
    const sent: number[] = [];
    const files = [new File([content], 'Grüße.txt', { type: 'text/plain' }), new File([], 'empty')];
    const { link } = await client().push({
      files,
      text: 'as you asked',
      onProgress: (bytes) => sent.push(bytes),
    });
    const opened = await stranger().open(link);

    expect(opened).toMatchObject({ kind: 'file', text: 'as you asked' });
    expect(opened.files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['Grüße.txt', 'text/plain', size],
      ['empty', 'application/octet-stream', 0],
    ]);
    expect((await contentOf(opened.files[0])).equals(content)).toBe(true);
    expect((await contentOf(opened.files[1])).length).toBe(0);
    if (size > MIB) expect(Math.max(...sent)).toBeGreaterThan(size);
  });

  it('lets the server encrypt, if that is asked for', async () => {
    const content = randomBytes(10 * MIB);
    const files = [new File([content], 'a.bin')];
    const { link, isEncrypted } = await client().push({ files, encryption: 'server', passphrase: 'sesame' });
    const opened = await stranger().open(link, { passphrase: 'sesame' });

    expect([isEncrypted, opened.isEncrypted]).toEqual([false, false]);
    expect((await contentOf(opened.files[0])).equals(content)).toBe(true);
  });

  it('keeps the line ends of a text beside files that the server encrypts', async () => {
    const text = 'one\ntwo\r\nthree\r';
    const { link } = await client().push({ text, files: [new File(['a'], 'a.txt')], encryption: 'server' });
    const opened = await stranger().open(link);

    expect(opened.text).toBe(text);
    expect((await contentOf(opened.files[0])).toString()).toBe('a');
  });

  it('deletes what it has uploaded when the push is refused', async () => {
    const files = [new File([randomBytes(9 * MIB)], 'a.bin')];

    expect(await codeOf(client().push({ files, expireAfterViews: 1000 }))).toBe('invalid');
    await eventually(
      async () => Number((await running.query('SELECT COUNT(*) AS n FROM uploads'))[0].n) === 0,
    );
  });

  it('creates one push when the response to its creation is lost', async () => {
    const proxy = await forThisTest(startCuttingProxy(running.url));
    const behind = new SealpushClient({ server: proxy.url, token: owner.token });
    const count = async () => (await client().list('active')).length;
    const before = await count();
    await behind.version();
    proxy.cutResponses(1);

    expect(await codeOf(behind.push({ text: 'tulip' }))).toBe('network');
    expect([proxy.posts(), (await count()) - before]).toEqual([1, 1]);
  });

  it('uses no view for a link that cannot open anything', async () => {
    const { link, urlToken } = await client().push({
      text: 'tulip',
      passphrase: 'sesame',
      expireAfterViews: 1,
    });
    const [base = '', fragment = ''] = link.split('#');
    const altered = fragment.replace(/^2./, fragment[1] === 'A' ? '2B' : '2A');

    expect(await codeOf(stranger().open(base))).toBe('invalid_link');
    expect(await codeOf(stranger().open(link.slice(0, -1)))).toBe('invalid_link');
    expect(await codeOf(stranger().open(`${running.url}/p/${urlToken.slice(1)}a#${fragment}`))).toBe(
      'not_found',
    );
    expect(await codeOf(stranger().open(link))).toBe('passphrase_needed');
    expect(await codeOf(stranger().open(link, { passphrase: 'wrong' }))).toBe('passphrase_wrong');
    expect(await codeOf(stranger().open(`${base}#${altered}`, { passphrase: 'sesame' }))).toBe(
      'passphrase_wrong',
    );
    expect((await stranger().open(link, { passphrase: 'sesame' })).text).toBe('tulip');
    expect(await codeOf(stranger().open(link, { passphrase: 'sesame' }))).toBe('ended');
  });

  it('shows nothing where the server has replaced what a client encrypted', async () => {
    const { link } = await client().push({ text: 'tulip' });
    const other = await client().push({ text: 'rose', encryption: 'server' });
    const [, fragment = ''] = link.split('#');

    expect(await codeOf(stranger().open(`${other.link}#${fragment}`))).toBe('invalid_link');
    expect((await stranger().open(other.link)).viewsRemaining).toBe(4);
  });

  it('lists, audits and ends pushes of the account', async () => {
    const { link, urlToken } = await client().push({ text: 'tulip', name: 'spring' });
    await stranger().open(link);

    expect((await client().list('active'))[0]).toMatchObject({ url_token: urlToken, name: 'spring' });
    expect((await client().audit(link)).map(({ kind }) => kind)).toEqual(['creation', 'view']);
    expect(await client().expire(link)).toMatchObject({ expired: true, deleted: true });
    expect(await codeOf(stranger().open(link))).toBe('ended');
    expect(await codeOf(new SealpushClient({ server: running.url }).list('active'))).toBe('token_needed');
  });

  it('asks for a secret, and decrypts the answers', async () => {
    const content = randomBytes(9 * MIB);
    const { link, keyFile } = await client().request({ request: 'The password of the shop', answers: 2 });
    expect(await stranger().show(link)).toMatchObject({
      request: 'The password of the shop',
      isEncrypted: true,
    });
    await stranger().answer(link, { text: 'correct horse' });
    const files = [new File([content], 'key.bin')];
    expect(await stranger().answer(link, { files })).toMatchObject({ state: 'closed', isEncrypted: true });
    const answers = await client().answers(link, keyFile);

    expect(answers.map(({ text }) => text)).toEqual(['correct horse', '']);
    expect((await contentOf(answers[1]?.files[0])).equals(content)).toBe(true);
    expect(await codeOf(stranger().answer(link, { text: 'late' }))).toBe('ended');
    expect(await codeOf(client().answers(link))).toBe('invalid');
  });

  it('decrypts the other answers when one cannot be', async () => {
    const { link, urlToken, keyFile } = await client().request({ request: 'Which flower?', answers: 3 });
    const path = `/api/v2/requests/${urlToken}`;
    const encrypter = new Encrypter();
    encrypter.addRecipient((await running.anonymous.get(path)).body.recipient);
    const response = armor.encode(await encrypter.encrypt('no envelope'));
    await stranger().answer(link, { text: 'rose' });
    await running.anonymous.post(`${path}/respond`, { request: { response } });
    await stranger().answer(link, { text: 'tulip' });
    const unreadable: [string, ErrorCode][] = [];
    const answers = await client().answers(link, keyFile, {
      onUnreadable: (token, { code }) => unreadable.push([token, code]),
    });

    expect(answers.map(({ text }) => text)).toEqual(['rose', 'tulip']);
    expect(unreadable).toEqual([[expect.stringMatching(/^[\w-]{43}$/), 'unsupported']]);
    expect(await codeOf(client().answers(link, keyFile))).toBe('unsupported');
  });

  it('sends no answer to another recipient than that of the link', async () => {
    const asked = await client().request({ request: 'one' });
    const other = await client().request({ request: 'two' });
    const [base = ''] = asked.link.split('#');
    const [, fragment = ''] = other.link.split('#');

    expect(await codeOf(stranger().answer(`${base}#${fragment}`, { text: 'secret' }))).toBe(
      'recipient_changed',
    );
    expect(await codeOf(stranger().show(`${base}#${fragment}`))).toBe('recipient_changed');
    expect(await codeOf(stranger().answer(base, { text: 'secret' }))).toBe('invalid_link');
    expect(await codeOf(stranger().show(base))).toBe('invalid_link');
    expect((await client().requestState(asked.link)).answersCame).toBe(0);
  });

  it('takes the URL token of a request from its link, so that a server names no other file for its key', async () => {
    const lying = new SealpushClient({
      server: running.url,
      token: owner.token,
      fetch: async (url, request) => {
        const response = await fetch(url, request);
        const content = (await response.json()) as object;
        return Response.json({ ...content, url_token: '../../key' }, { status: response.status });
      },
    });

    expect((await lying.request({ request: 'one' })).urlToken).toMatch(/^[\w-]{43}$/);
  });

  it('says that only whoever asked sees the answers', async () => {
    const { link, keyFile } = await client().request({ request: 'The password of the shop' });
    const inside = new SealpushClient({ server: running.url });

    expect(await codeOf(inside.answers(link, keyFile))).toBe('forbidden');
    expect(await codeOf(inside.requestState(link))).toBe('forbidden');
  });

  it('names what the server does not accept', async () => {
    await expect(client().push({ text: 'tulip', expireAfterViews: 1000 })).rejects.toMatchObject({
      code: 'invalid',
      status: 422,
      fields: { expire_after_views: [expect.any(String)] },
    });
    expect(await codeOf(client().push({ text: ' ' }))).toBe('invalid');
    expect(await codeOf(client().push({ text: 'a', url: 'https://example.org' }))).toBe('invalid');
  });

  it('does not send the token to other installations', async () => {
    const seen: unknown[] = [];
    const watching = new SealpushClient({
      server: 'https://elsewhere.example',
      token: 'secret-token',
      fetch: (url, request) => {
        seen.push(new Headers(request?.headers).get('Authorization'));
        return fetch(url, request);
      },
    });
    const { link } = await client().push({ text: 'tulip' });
    await watching.open(link);

    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every((header) => header === null)).toBe(true);
  });

  it('says that a server cannot be reached', async () => {
    const error = await new SealpushClient({ server: 'http://127.0.0.1:9' })
      .version()
      .catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code: 'network', message: expect.stringContaining('http://127.0.0.1:9') });
  });
});

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { encryptFile } from '../../packages/client/src/end-to-end/files.js';
import { newFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { encryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import type { ErrorCode, OpenedFile } from '../../packages/client/src/index.js';
import { parsePushLink, SealpushClient, SealpushError } from '../../packages/client/src/index.js';
import { MIB } from '../../src/platform/settings/units.js';
import { eventually } from '../support/eventually.js';
import { forEachTest } from '../support/for-tests.js';
import { BUFFERED_BYTES, flood, startHostilePeer } from '../support/hostile-peer.js';
import type { Respond } from './support/fake-server.js';
import { json, startFakeServer } from './support/fake-server.js';

const TOKEN = 'token-of-the-account';
const URL_TOKEN = 'abcdefghij';
const VERSION = 'GET /api/v2/version';
const CREATE = 'POST /api/v2/pushes';
const PREVIEW = `GET /api/v2/pushes/${URL_TOKEN}/preview`;
const RETRIEVE = `GET /api/v2/pushes/${URL_TOKEN}`;
const SEALPUSH = { features: { pushes: { changes: { enabled: true } } } };
/** More than any response of the API. */
const MAX_JSON_BYTES = 32 * MIB;

const server = forEachTest(startFakeServer);
const elsewhere = forEachTest(startFakeServer);
const client = () => new SealpushClient({ server: server.url, token: TOKEN });
const linkTo = (fragment = '') => `${server.url}/p/${URL_TOKEN}${fragment && `#${fragment}`}`;
const created = (change: Record<string, unknown> = {}) => ({
  url_token: URL_TOKEN,
  html_url: linkTo(),
  expires_at: '2030-01-01T00:00:00.000Z',
  views_remaining: 5,
  ...change,
});
const retrieved = (change: Record<string, unknown> = {}) => ({
  expired: false,
  kind: 'text',
  payload: 'tulip',
  files: [] as unknown[],
  views_remaining: 4,
  expires_at: '2030-01-01T00:00:00.000Z',
  ...change,
});

async function errorOf(action: Promise<unknown>): Promise<SealpushError> {
  const error = await action.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SealpushError);
  return error as SealpushError;
}

const codeOf = async (action: Promise<unknown>): Promise<ErrorCode> => (await errorOf(action)).code;
const contentOf = async (file: OpenedFile | undefined) =>
  buffer((await file?.stream()) ?? new Blob().stream());
const lines = () => server.received.map(({ line }) => line);

describe('At a server that cannot take what is encrypted end to end', () => {
  it.each([
    ['has no version', json(404, { error: 'not-found' })],
    ['has a version without features', json(200, { api_version: '2.1' })],
    ['has features without pushes', json(200, { features: {} })],
    ['has no changes of pushes', json(200, { features: { pushes: { enabled: true } } })],
  ])('the library sends nothing, if it %s', async (_how, version) => {
    server.on(VERSION, version);

    expect(await codeOf(client().push({ text: 'marked secret' }))).toBe('encryption_unsupported');
    expect(lines()).toEqual([VERSION]);
  });

  it('the library sends only what nobody can read, and takes it back, if the server ignores that it is encrypted', async () => {
    server.on(VERSION, json(200, SEALPUSH));
    server.on(CREATE, json(201, created()));
    const files = [new File(['marked file'], 'marked name')];

    expect(await codeOf(client().push({ text: 'marked secret', files, passphrase: 'marked word' }))).toBe(
      'encryption_unsupported',
    );
    expect(lines()).toEqual([VERSION, CREATE, `DELETE /api/v2/pushes/${URL_TOKEN}`]);
    for (const { line, headers, body } of server.received)
      expect(line + JSON.stringify(headers) + body.toString('latin1')).not.toContain('marked');
  });
});

describe('At another server of the API', () => {
  it('the library sends what the server encrypts, large files in one form', async () => {
    server.on(CREATE, json(201, created()));
    const content = randomBytes(9 * MIB);
    const files = [new File([content], 'a.bin')];
    const { link, isEncrypted } = await client().push({ files, encryption: 'server' });

    expect([link, isEncrypted]).toEqual([linkTo(), false]);
    expect(lines()).toEqual([VERSION, CREATE]);
    expect(server.received[1]?.body.includes(content)).toBe(true);
  });

  it('the library opens a link, with a passphrase as such servers take it', async () => {
    server.on(PREVIEW, json(200, { url: linkTo() }));
    server.on(RETRIEVE, json(200, retrieved({ files: undefined })));

    expect(await client().open(linkTo(), { passphrase: 'ä b' })).toMatchObject({ text: 'tulip', files: [] });
    expect(lines().at(-1)).toBe(`${RETRIEVE}?passphrase=%C3%A4%20b`);
  });

  it.each([
    ['/p/', ''],
    ['/en/p/', ''],
    ['/pt-BR/f/', ''],
    ['/pw/p/', '/pw'],
    ['/secrets/p/', '/secrets'],
    ['/secrets/de/p/', '/secrets'],
  ])('a link with the path %s is one of the installation at %j', (path, base) => {
    const parsed = parsePushLink(`https://push.example.org${path}${URL_TOKEN}/r`);

    expect(parsed).toMatchObject({ server: `https://push.example.org${base}`, urlToken: URL_TOKEN });
  });

  it('a link of an installation whose path looks like a language is its own', async () => {
    const own = new SealpushClient({ server: `${server.url}/en`, token: TOKEN });
    server.on(`GET /en/api/v2/pushes/${URL_TOKEN}/preview`, json(200, { url: '' }));

    expect(await own.preview(`${server.url}/en/p/${URL_TOKEN}`)).toEqual({ isEncrypted: false });
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('At a server that redirects to another host', () => {
  const redirect = (path: string): Respond => {
    return (response) => response.writeHead(307, { Location: elsewhere.url + path }).end();
  };

  it('the library sends nothing there, neither the token nor the secret', async () => {
    for (const route of [VERSION, CREATE, PREVIEW, RETRIEVE, 'GET /api/v2/pushes/active'])
      server.on(route, redirect('/there'));

    expect(await codeOf(client().push({ text: 'marked secret' }))).toBe('network');
    expect(await codeOf(client().push({ text: 'marked secret', encryption: 'server' }))).toBe('network');
    expect(await codeOf(client().open(linkTo()))).toBe('network');
    expect(await codeOf(client().list('active'))).toBe('network');
    expect(elsewhere.received).toEqual([]);
    expect(lines().filter((line) => line === CREATE)).toHaveLength(1);
  });

  it('the library follows a download there, without the token', async () => {
    const file = { filename: 'a.txt', content_type: 'text/plain', url: `${server.url}/files/1` };
    server.on(PREVIEW, json(200, { url: linkTo() }));
    server.on(
      RETRIEVE,
      json(200, retrieved({ files: [file, { ...file, url: `${elsewhere.url}/files/2` }] })),
    );
    server.on('GET /files/1', redirect('/files/2'));
    elsewhere.on('GET /files/2', (response) => response.end('red'));
    const { files } = await client().open(linkTo());

    expect((await contentOf(files[0])).toString()).toBe('red');
    expect((await contentOf(files[1])).toString()).toBe('red');
    for (const { headers } of [...elsewhere.received, server.received.at(-1)].flatMap((one) => one ?? []))
      expect(headers).not.toHaveProperty('authorization');
    expect(elsewhere.received).toHaveLength(2);
  });
});

describe('At a server that does not keep to the API', () => {
  const page: Respond = (response) => response.end('<html>');

  beforeEach(() => {
    server.on(VERSION, json(200, SEALPUSH));
    server.on(PREVIEW, json(200, { url: linkTo() }));
  });

  it('the library does not read a response of gigabytes', async () => {
    const peer = await startHostilePeer(
      flood('a', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"'),
    );
    try {
      const flooded = new SealpushClient({ server: `http://127.0.0.1:${peer.port}` });

      expect(await codeOf(flooded.version())).toBe('unexpected');
      await eventually(() => peer.sentBytes() > 0);
      expect(peer.sentBytes()).toBeLessThan(MAX_JSON_BYTES + BUFFERED_BYTES);
    } finally {
      await peer.stop();
    }
  });

  it.each([
    ['no link', { html_url: undefined }],
    ['a link with a fragment', { html_url: `https://push.example.org/p/${URL_TOKEN}#1` }],
    ['a link to another push', { html_url: 'https://push.example.org/p/klmnopqrst' }],
    ['what is no link', { html_url: 'javascript:alert(1)' }],
  ])('the library gives no link when it gets %s', async (_what, change) => {
    server.on(CREATE, json(201, created({ client_encrypted: true, ...change })));

    expect(await codeOf(client().push({ text: 'tulip' }))).toBe('unexpected');
  });

  it.each([
    ['a page', page],
    ['null', json(200, null)],
    ['a number as the secret', json(200, retrieved({ payload: 5 }))],
    ['no state', json(200, retrieved({ expired: undefined }))],
  ])('the library opens nothing when it gets %s', async (_what, respond) => {
    server.on(RETRIEVE, respond);

    expect(await codeOf(client().open(linkTo()))).toBe('unexpected');
  });

  it('the library lists nothing when it gets no list', async () => {
    server.on('GET /api/v2/pushes/active', json(200, { pushes: [] }));
    server.on(`GET /api/v2/pushes/${URL_TOKEN}/audit`, json(200, { logs: {} }));
    server.on(`GET /api/v2/requests/${URL_TOKEN}`, json(200, { answer_url_tokens: 'all' }));

    expect(await codeOf(client().list('active'))).toBe('unexpected');
    expect(await codeOf(client().audit(URL_TOKEN))).toBe('unexpected');
    expect(await codeOf(client().answers(URL_TOKEN))).toBe('unexpected');
  });

  it('the library asks for no answer whose name leads elsewhere', async () => {
    server.on(`GET /api/v2/requests/${URL_TOKEN}`, json(200, { answer_url_tokens: ['../version?'] }));

    expect(await codeOf(client().answers(URL_TOKEN))).toBe('invalid_link');
    expect(lines()).toEqual([`GET /api/v2/requests/${URL_TOKEN}`]);
  });

  it.each(['file:///etc/passwd', 'data:text/plain,tulip', 'blob:nodedata:1', '//', 'tulip', ''])(
    'the library downloads nothing from %j',
    async (url) => {
      const file = { filename: 'a.txt', content_type: 'text/plain', url };
      server.on(RETRIEVE, json(200, retrieved({ files: [file] })));
      const { files } = await client().open(linkTo());

      expect(await codeOf(contentOf(files[0]))).toBe('unexpected');
    },
  );

  it('the library names files without folders, control characters and what reverses letters', async () => {
    const names = ['../../etc/passwd', 'C:\\a\\b.exe', 'a\x1b[2J.txt', 'exe.\u202egpj', '..'];
    const files = names.map((filename) => ({ filename, content_type: 'text html', url: server.url }));
    server.on(RETRIEVE, json(200, retrieved({ files })));
    const opened = await client().open(linkTo());

    expect(opened.files.map(({ name }) => name)).toEqual(['passwd', 'b.exe', 'a[2J.txt', 'exe.gpj', 'file']);
    expect(opened.files.map(({ type }) => type)).toEqual(Array(5).fill('application/octet-stream'));
  });

  it('an error has the reason of the server, short, and without what moves a cursor', async () => {
    server.on('GET /api/v2/pushes/active', json(403, { error: `no\x1b[2J\u202e${'x'.repeat(9999)}` }));
    server.on(CREATE, json(422, { 'payload\x1b[A': ['too\x9blong'.repeat(9999)] }));
    const errors = [
      await errorOf(client().list('active')),
      await errorOf(client().push({ text: 'tulip', encryption: 'server' })),
    ];

    expect(errors.map(({ code }) => code)).toEqual(['forbidden', 'invalid']);
    for (const { message } of errors) {
      expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(message.length).toBeLessThanOrEqual(500);
    }
  });
});

describe('When a connection breaks', () => {
  beforeEach(() => {
    server.on(VERSION, json(200, SEALPUSH));
  });

  it('during the response to a creation, the push is not created a second time', async () => {
    server.on(CREATE, (response) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{', () => response.destroy());
    });

    expect(await codeOf(client().push({ text: 'tulip' }))).toBe('network');
    expect(lines()).toEqual([VERSION, CREATE]);
  });

  it('before anything was sent, the push is created when there is a connection again', async () => {
    server.on(CREATE, json(201, created({ client_encrypted: true })));
    let refusals = 1;
    const reconnecting = new SealpushClient({
      server: server.url,
      fetch: (url, request) =>
        request?.method === 'POST' && refusals-- > 0
          ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
          : fetch(url, request),
    });
    const { link } = await reconnecting.push({ text: 'tulip' });

    expect(link).toMatch(/#1[\w-]{43}$/);
    expect(lines()).toEqual([VERSION, CREATE]);
  });

  it('whoever cancels gets their own reason', async () => {
    const cancellation = new AbortController();
    server.on(CREATE, (response) => {
      response.writeHead(201).write('{');
      cancellation.abort(new Error('cancelled'));
    });

    await expect(client().push({ text: 'tulip', signal: cancellation.signal })).rejects.toThrow('cancelled');
  });
});

describe('A download', () => {
  const content = randomBytes(200_000);
  const file = () => ({ filename: 'a.bin', content_type: 'text/plain', url: `${server.url}/file` });

  /** Breaks the first response after half of the file, and responds to what follows as a test wants. */
  function breakFirst(bytes: Buffer, then: Respond) {
    let isFirst = true;
    server.on('GET /file', (response, request) => {
      if (!isFirst) {
        then(response, request);
        return;
      }
      isFirst = false;
      response.writeHead(200, { 'Content-Length': String(bytes.length) });
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    });
  }

  beforeEach(() => {
    server.on(VERSION, json(200, SEALPUSH));
    server.on(PREVIEW, json(200, { url: linkTo() }));
    server.on(RETRIEVE, json(200, retrieved({ files: [file()] })));
  });

  it('that breaks goes on where it was', async () => {
    breakFirst(content, (response, { headers }) => {
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);
      const range = `bytes ${start}-${content.length - 1}/${content.length}`;
      response.writeHead(206, { 'Content-Range': range }).end(content.subarray(start));
    });
    const { files } = await client().open(linkTo());

    expect((await contentOf(files[0])).equals(content)).toBe(true);
    expect(lines().filter((line) => line === 'GET /file')).toHaveLength(2);
  });

  it.each([
    ['its link has expired', 403],
    ['it was removed', 404],
    ['the server sends all of it again', 200],
  ])('that breaks fails when %s', async (_why, status) => {
    breakFirst(content, (response) => response.writeHead(status).end(content));
    const { files } = await client().open(linkTo());

    expect(await codeOf(contentOf(files[0]))).toBe('network');
  });

  it('that breaks fails when what follows begins elsewhere', async () => {
    breakFirst(content, (response) => {
      const range = `bytes 0-${content.length - 1}/${content.length}`;
      response.writeHead(206, { 'Content-Range': range }).end(content);
    });
    const { files } = await client().open(linkTo());

    expect(await codeOf(contentOf(files[0]))).toBe('network');
  });

  it('whose link has expired before it begins says so', async () => {
    server.on('GET /file', json(403, { error: 'This link has expired.' }));
    const { files } = await client().open(linkTo());

    expect(await codeOf(contentOf(files[0]))).toBe('forbidden');
  });

  it('that is cancelled fails with the reason of whoever cancels', async () => {
    const cancellation = new AbortController();
    server.on('GET /file', (response) => response.writeHead(200).write('tulip'));
    const { files } = await client().open(linkTo());
    const reader = (await files[0]?.stream(cancellation.signal))?.getReader();
    await reader?.read();
    cancellation.abort(new Error('cancelled'));

    await expect(reader?.read()).rejects.toThrow('cancelled');
  });
});

describe('What a client has encrypted', () => {
  const fragment = newFragment({ needsPassphrase: false });
  const content = randomBytes(100_000);
  const key = newKey();
  const described = { name: 'a.bin', type: 'text/plain', size: content.length, key };
  let payload: string;
  let encrypted: Buffer;

  beforeAll(async () => {
    payload = await encryptPayload({ kind: 'file', text: '', files: [described] }, fragment, '');
    encrypted = await buffer(await encryptFile(new Blob([content]).stream(), key));
  });

  beforeEach(() => {
    server.on(PREVIEW, json(200, { url: linkTo(), client_encrypted: true }));
    serve({});
  });

  const link = () => ({ filename: '0.age', content_type: 'application/age', url: `${server.url}/file` });
  const serve = (change: Record<string, unknown>, bytes = encrypted) => {
    server.on(RETRIEVE, json(200, retrieved({ kind: 'file', payload, files: [link()], ...change })));
    server.on('GET /file', (response) => response.end(bytes));
  };
  const open = () => client().open(linkTo(fragment.text));

  it('is opened without another request than those for it', async () => {
    expect((await contentOf((await open()).files[0])).equals(content)).toBe(true);
    expect(lines()).toEqual([PREVIEW, RETRIEVE, 'GET /file']);
    expect(JSON.stringify(server.received)).not.toContain(fragment.key);
  });

  it.each([
    ['cut', () => encrypted.subarray(0, -1)],
    ['cut between two chunks', () => encrypted.subarray(0, 166 + 65_552)],
    ['empty', () => Buffer.alloc(0)],
    ['extended', () => Buffer.concat([encrypted, Buffer.alloc(1)])],
    ['altered', () => Buffer.concat([encrypted.subarray(0, -1), Buffer.from([(encrypted.at(-1) ?? 0) ^ 1])])],
    ['in clear', () => content],
  ])('is not taken for whole when a file was %s', async (_how, bytesOf) => {
    serve({}, bytesOf());
    const { files } = await open();

    expect(await codeOf(contentOf(files[0]))).toBe('damaged');
  });

  it.each([
    [
      'another secret',
      async () => ({
        payload: await encryptPayload(
          { kind: 'text', text: 'rose', files: [] },
          newFragment({ needsPassphrase: false }),
          '',
        ),
      }),
    ],
    ['a text in clear', () => Promise.resolve({ payload: 'tulip' })],
    ['a cut one', () => Promise.resolve({ payload: payload.slice(0, -100) })],
    ['fewer files', () => Promise.resolve({ files: [] })],
    ['more files', () => Promise.resolve({ files: [link(), link()] })],
    ['no list of files', () => Promise.resolve({ files: null })],
  ])('is not opened when the server gives %s', async (_what, changeOf) => {
    serve(await changeOf());

    expect(await codeOf(open())).toBe('damaged');
  });

  it('is not asked for with a fragment that was cut', async () => {
    expect(await codeOf(client().open(linkTo(fragment.text.slice(0, -1))))).toBe('invalid_link');
    expect(lines()).toEqual([]);
  });

  it('is not opened with a fragment that was altered, which the error says', async () => {
    server.on(RETRIEVE, json(401, { error: 'The passphrase is wrong.', status: 'unauthorized' }));
    const { code, message } = await errorOf(
      client().open(linkTo(newFragment({ needsPassphrase: false }).text)),
    );

    expect(code).toBe('invalid_link');
    expect(message).toMatch(/altered/);
  });

  it('is not asked for where the server says that it can read it', async () => {
    server.on(PREVIEW, json(200, { url: linkTo() }));

    expect(await codeOf(open())).toBe('invalid_link');
    expect(lines()).toEqual([PREVIEW]);
  });
});

describe('A mistake of the caller', () => {
  it.each([
    ['a token with a line break', 'marked\ntoken'],
    ['a token with a letter that no header has', 'marked\u{1f40e}'],
    ['an empty token', ''],
  ])('is refused before anything is sent, and not repeated: %s', (_what, token) => {
    let error: unknown;
    try {
      error = new SealpushClient({ server: server.url, token });
    } catch (caught) {
      error = caught;
    }

    expect(error).toMatchObject({ code: 'token_needed', message: expect.not.stringContaining('marked') });
  });

  it('is not made of a token that was read from a file with a line break at its end', async () => {
    server.on('GET /api/v2/pushes/active', json(200, []));
    await new SealpushClient({ server: server.url, token: `${TOKEN}\n` }).list('active');

    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('in the code of a recipient is not repeated', async () => {
    server.on(PREVIEW, json(200, { url: linkTo() }));
    const recipient = { email: 'ada@example.org', code: 'marked\ncode' };
    const error = await errorOf(client().open(linkTo(), { recipient }));

    expect([error.code, error.message]).toEqual(['code_needed', expect.not.stringContaining('marked')]);
  });

  it.each([
    ['an empty passphrase', { text: 'tulip', passphrase: '' }],
    ['an invisible passphrase', { text: 'tulip', passphrase: ' \u200b' }],
    ['an empty secret', { text: ' \n' }],
    ['no secret', {}],
    ['what is no web address', { url: 'javascript:alert(1)' }],
    ['a web address with a space', { url: 'https://example.org/a b' }],
    ['a URL with a file', { url: 'https://example.org', files: [new File(['a'], 'a')] }],
  ])('is refused before anything is sent: %s', async (_what, secret) => {
    expect(await codeOf(client().push(secret))).toBe('invalid');
    expect(await codeOf(client().push({ ...secret, encryption: 'server' }))).toBe('invalid');
    expect(lines()).toEqual([]);
  });

  it.each(['..', '.', 'a/b/c/d/e', '', 'abcde?x=y', 'https://push.example.org/'])(
    'is refused before anything is sent: %j as a push',
    async (push) => {
      expect(await codeOf(client().expire(push))).toBe('invalid_link');
      expect(await codeOf(client().audit(push))).toBe('invalid_link');
      expect(await codeOf(client().closeRequest(push))).toBe('invalid_link');
      expect(await codeOf(client().requestState(push))).toBe('invalid_link');
      expect(lines()).toEqual([]);
    },
  );

  it.each(['push.example.org', 'ftp://push.example.org', 'https://a:b@push.example.org', 'https://a/?b', ''])(
    'is refused at once: %j as a server',
    (address) => {
      expect(() => new SealpushClient({ server: address })).toThrow(SealpushError);
    },
  );
});

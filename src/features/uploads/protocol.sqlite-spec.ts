import { randomBytes } from 'node:crypto';
import { Upload } from 'tus-js-client';
import { download, linksOf } from '../../../test/support/files.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { nginx } from '../../../test/support/nginx.js';
import { sendRaw } from '../../../test/support/send-raw.js';
import { startApp } from '../../../test/support/start-app.js';
import { startWithStore } from '../../../test/support/start-with-store.js';
import { STORES } from '../../../test/support/stores.js';
import type { ProxyPlace } from '../../../test/support/tls-proxy.js';
import { startTlsProxy } from '../../../test/support/tls-proxy.js';
import { beginUpload, metadataOf, tryToBegin, UPLOADS } from '../../../test/support/tus.js';
import { MIB } from '../../platform/settings/units.js';

const TUS = { 'Tus-Resumable': '1.0.0' };

describe('The protocol tus', () => {
  const running = forAllTests(() => startApp());
  const user = forAllTests(() => running.newUser());
  const begin = (length = 5) => beginUpload(user.client, length, { filename: 'a.txt' });

  it('is described to everyone', async () => {
    const { status, headers } = await running.anonymous.send('OPTIONS', UPLOADS);

    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
      'tus-checksum-algorithm': 'sha1,sha256',
      'tus-max-size': expect.stringMatching(/^\d+$/),
    });
  });

  it.each([undefined, '0.2.2', '1.0.1'])('is refused in version %s', async (version) => {
    const { status, headers, body } = await user.client.send('POST', UPLOADS, undefined, {
      'Upload-Length': '5',
      ...(version && { 'Tus-Resumable': version }),
    });

    expect([status, headers.get('Tus-Version')]).toEqual([412, '1.0.0']);
    expect(body).toEqual({ error: 'Tus-Resumable must be 1.0.0.' });
  });

  it('has its version in every response', async () => {
    const begun = await begin();
    for (const { headers } of [
      await begun.head(),
      await begun.part(3, 'x'),
      await begun.end(),
      await begun.end(),
    ])
      expect(headers.get('Tus-Resumable')).toBe('1.0.0');
  });

  it('takes the method from X-HTTP-Method-Override', async () => {
    const begun = await begin();
    const path = new URL(begun.url).pathname;
    const send = (method: string, headers: Record<string, string> = {}, body?: Uint8Array<ArrayBuffer>) =>
      user.client.send('POST', path, body, { ...TUS, 'X-HTTP-Method-Override': method, ...headers });
    const part = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };

    expect((await send('PATCH', part, new Uint8Array([1, 2]))).status).toBe(204);
    const shown = await send('HEAD');
    expect([shown.status, shown.headers.get('Upload-Offset')]).toEqual([204, '2']);
    expect((await send('GET')).status).toBe(404);
    expect((await send('DELETE')).status).toBe(204);
    expect((await begun.head()).status).toBe(404);
  });

  it('needs the type of a part, and an offset', async () => {
    const begun = await begin();
    const path = new URL(begun.url).pathname;
    const patch = (headers: Record<string, string>) =>
      user.client.send('PATCH', path, 'tulip', { ...TUS, ...headers });
    const type = { 'Content-Type': 'application/offset+octet-stream' };

    expect((await patch({ 'Upload-Offset': '0' })).status).toBe(415);
    expect((await patch({ 'Content-Type': 'application/octet-stream', 'Upload-Offset': '0' })).status).toBe(
      415,
    );
    expect((await patch(type)).status).toBe(400);
    for (const offset of ['-1', '1e1', '0x0', ''])
      expect((await patch({ ...type, 'Upload-Offset': offset })).status).toBe(400);
    expect((await patch({ ...type, 'Upload-Offset': '0', 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect(await begun.offset()).toBe(0);
  });

  it.each([
    ['no length', {}, 400],
    ['a length that is no number', { 'Upload-Length': 'five' }, 400],
    ['a length that is not known yet', { 'Upload-Defer-Length': '1' }, 400],
    ['a file that is too large', { 'Upload-Length': '900719925474099' }, 413],
    ['metadata that are malformed', { 'Upload-Length': '5', 'Upload-Metadata': 'filename x' }, 400],
    [
      'metadata that are too long',
      { 'Upload-Length': '5', 'Upload-Metadata': `a ${'YWFh'.repeat(1100)}` },
      400,
    ],
  ])('begins no upload with %s', async (_what, headers, status) => {
    expect((await user.client.send('POST', UPLOADS, undefined, { ...TUS, ...headers })).status).toBe(status);
  });

  it('has only the routes that it needs', async () => {
    const begun = await begin();
    for (const method of ['GET', 'PUT', 'POST'])
      expect((await user.client.send(method, new URL(begun.url).pathname, undefined, TUS)).status).toBe(404);
    expect((await user.client.send('GET', UPLOADS, undefined, TUS)).status).toBe(404);
  });

  it('takes no more bytes than were announced (F2)', async () => {
    const begun = await begin();
    const path = new URL(begun.url).pathname;
    const part = {
      ...TUS,
      ...user.client.headers,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': '0',
    };

    expect((await begun.part(0, 'tulips')).status).toBe(413);
    const chunked = await sendRaw(running.url, {
      method: 'PATCH',
      path,
      headers: part,
      body: 'tulips',
      chunked: true,
    });
    expect(chunked.status).toBe(413);
    expect(await begun.offset()).toBe(0);
    expect(
      (await sendRaw(running.url, { method: 'PATCH', path, headers: part, body: 'tulip', chunked: true }))
        .status,
    ).toBe(204);
    expect((await begun.part(5, 's')).status).toBe(413);
    expect((await begun.part(5, '')).status).toBe(204);
  });

  it('is available where PUBLIC_URL says', async () => {
    const elsewhere = await forThisTest(startApp({ PUBLIC_URL: 'https://push.example.org/tools' }));
    const { client } = await elsewhere.newUser();
    const { headers } = await tryToBegin(client, 5);

    expect(headers.get('Location')).toMatch(
      /^https:\/\/push\.example\.org\/tools\/api\/v2\/uploads\/[\w-]{43}$/,
    );
  });
});

describe.each(STORES)('tus-js-client with %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start));

  it.each([
    ['in parts', 5 * MIB],
    ['in one part', Infinity],
  ])('uploads a file %s', async (_how, chunkSize) => {
    const content = randomBytes(20 * MIB + 1);
    const url = await new Promise<string>((resolve, reject) => {
      const sending = new Upload(content, {
        endpoint: `${running.url}${UPLOADS}`,
        chunkSize,
        uploadSize: content.length,
        headers: running.user.client.headers,
        metadata: { filename: 'tülip.bin', filetype: 'application/octet-stream' },
        retryDelays: null,
        onError: reject,
        onSuccess: () => {
          resolve(sending.url ?? '');
        },
      });
      sending.start();
    });
    const { url_token } = await running.user.client.push({ uploads: [url] });
    const [link = ''] = await linksOf(running.anonymous, url_token);
    const { bytes, headers } = await download(link);

    expect(bytes.equals(content)).toBe(true);
    expect(headers.get('Content-Disposition')).toContain("filename*=UTF-8''t%C3%BClip.bin");
  });

  it('ends an upload, and continues one that was interrupted', async () => {
    const content = randomBytes(3 * MIB);
    const begun = await beginUpload(running.user.client, content.length, { filename: 'a' });
    await begun.part(0, content.subarray(0, 100_000));
    const options = { headers: running.user.client.headers, uploadUrl: begun.url, chunkSize: MIB };
    await new Promise<void>((resolve, reject) => {
      new Upload(content, {
        ...options,
        onError: reject,
        onSuccess: () => {
          resolve();
        },
      }).start();
    });

    expect(await begun.offset()).toBe(content.length);
    await Upload.terminate(begun.url, options);
    expect((await begun.head()).status).toBe(404);
    expect(metadataOf({ filename: 'a' })).toBe('filename YQ==');
  });
});

const narrow = {
  ...nginx,
  adapt: (file: string, place: ProxyPlace) =>
    nginx
      .adapt(file, place)
      .replace(/client_max_body_size \w+;/, 'client_max_body_size 20m;')
      .replaceAll('request_buffering off;', 'request_buffering on;'),
};
const hasNginx = nginx.path !== undefined;
if (!hasNginx) console.error('!!! NO NGINX: uploads are not tested behind a proxy that limits bodies !!!');

(hasNginx ? describe : describe.skip)('Behind a proxy that limits and buffers bodies', () => {
  it('a file arrives in parts that is refused as a whole', async () => {
    const running = await forThisTest(startApp());
    const { client } = await running.newUser();
    const proxy = await forThisTest(startTlsProxy(narrow, 'nginx.conf', 'push.example.org', running.url));
    const content = randomBytes(25 * MIB);
    const begun = await beginUpload(client, content.length, { filename: 'a' });
    const path = new URL(begun.url).pathname;
    const part = (offset: number, end: number) =>
      proxy.send('PATCH', path, {
        headers: {
          ...TUS,
          ...client.headers,
          'Content-Type': 'application/offset+octet-stream',
          'Upload-Offset': String(offset),
        },
        body: content.subarray(offset, end),
      });

    expect((await part(0, content.length)).status).toBe(413);
    expect((await part(0, 16 * MIB)).status).toBe(204);
    expect((await part(16 * MIB, content.length)).status).toBe(204);
    expect((await client.post('/api/v2/pushes', { push: { uploads: [begun.id] } })).status).toBe(201);
  });
});

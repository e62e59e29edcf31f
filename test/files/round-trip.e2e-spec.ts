import { randomBytes } from 'node:crypto';
import { FileStore } from '../../src/files/file-store.js';
import { created, digest, download, encoded, formOf, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';

const SIZES = [0, 1, 65_535, 65_536, 65_537, 131_072, 5_000_000, 9_000_000];

describe.each(STORES)('Files on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start));

  it.each(SIZES)('are returned as they were sent in a form: %d bytes', async (size) => {
    const content = randomBytes(size);
    const { url_token } = await pushFiles(running.user.client, [{ name: 'a.bin', content }]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    const { status, headers, bytes } = await download(url);

    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(size));
    expect(digest(bytes)).toBe(digest(content));
  });

  it.each([...SIZES, 2, 3, 196_607, 196_608, 196_609])(
    'are returned as they were sent in JSON: %d bytes',
    async (size) => {
      const content = randomBytes(size);
      const { url_token } = await running.user.client.push({ files: encoded([{ name: 'a.bin', content }]) });
      const [url = ''] = await linksOf(running.anonymous, url_token);

      expect(digest((await download(url)).bytes)).toBe(digest(content));
    },
  );

  it('are returned in the order in which they were sent, ten of them', async () => {
    const files = Array.from({ length: 10 }, (_, i) => ({ name: `${9 - i}.txt`, content: 'x'.repeat(i) }));
    for (const push of [
      await pushFiles(running.user.client, files),
      await running.user.client.push({ files: encoded(files) }),
    ]) {
      const { body } = await running.anonymous.retrieve(push.url_token);
      const contents = await Promise.all(body.files.map(async ({ url }: any) => (await download(url)).bytes));

      expect(body.files.map(({ filename }: any) => filename)).toEqual(files.map(({ name }) => name));
      expect(contents.map(String)).toEqual(files.map(({ content }) => content));
    }
  });

  it('make a push of kind file, with a text or without', async () => {
    const files = [{ name: 'a.txt', type: 'text/plain', content: 'hello' }];
    const bare = await pushFiles(running.user.client, files);
    const withText = await pushFiles(running.user.client, files, { payload: 'see the file' });

    expect([bare.kind, withText.kind]).toEqual(['file', 'file']);
    expect((await running.anonymous.retrieve(bare.url_token)).body).toMatchObject({
      payload: '',
      files: [{ filename: 'a.txt', content_type: 'text/plain', url: expect.stringMatching(/^http/) }],
    });
    expect((await running.anonymous.retrieve(withText.url_token)).body.payload).toBe('see the file');
  });

  it.each(['text', 'url', 'qr'])('may be attached to a push of kind %s', async (kind) => {
    const form = formOf([{ name: 'a.txt', content: 'hello' }], { kind, payload: 'https://example.org/' });
    const push = created(await running.user.client.post('/api/v2/pushes', form));
    const { body } = await running.anonymous.retrieve(push.url_token);

    expect([push.kind, body.files.length]).toEqual([kind, 1]);
  });

  it('are not searched by the validation of fields, which would change the services that hold them', async () => {
    const store = Object.assign(running.app.get(FileStore), {
      sparse: Object.assign(Array<string>(2), { 1: 'kept' }),
    });
    await pushFiles(running.user.client, [{ name: 'a.txt', content: 'hello' }]);

    expect(store.sparse).toHaveLength(2);
  });

  it('are only listed with the passphrase', async () => {
    const files = [{ name: 'a.txt', content: 'hello' }];
    const push = await pushFiles(running.user.client, files, { passphrase: 'tulip' });
    const { status, body } = await running.anonymous.retrieve(push.url_token, 'tulip');
    const [{ url }] = body.files;

    expect((await running.anonymous.retrieve(push.url_token)).status).toBe(401);
    expect(status).toBe(200);
    expect(String((await download(url)).bytes)).toBe('hello');
  });

  it('are not listed when a push is created, nor after it has expired', async () => {
    const push = await pushFiles(running.user.client, [{ name: 'a.txt', content: 'hello' }], {
      expire_after_views: '1',
    });
    await running.anonymous.retrieve(push.url_token);

    expect(push).not.toHaveProperty('files');
    expect((await running.anonymous.retrieve(push.url_token)).body).toMatchObject({
      expired: true,
      payload: null,
      files: [],
    });
  });
});

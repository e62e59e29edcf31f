import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { DiskFileStore } from '../../src/files/disk-file-store.js';
import { FileStore } from '../../src/files/file-store.js';
import { Settings } from '../../src/platform/settings/settings.js';
import type { ClientResponse } from '../support/client.js';
import { created, download, encoded, formOf, linksOf, pushFiles } from '../support/files.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { startDisk, startS3 } from '../support/stores.js';

const FILE = { name: 'a.bin', content: Buffer.alloc(3_000_000, 'tulip') };

const BODIES: [string, () => object][] = [
  ['a form', () => formOf([{ name: 'first', content: 'hello' }, FILE])],
  ['JSON', () => ({ push: { files: encoded([{ name: 'first', content: 'hello' }, FILE]) } })],
];

/** A disk that is full after `space` bytes of a file. */
class SmallDisk extends DiskFileStore {
  space = Infinity;

  override put(key: string, bytes: Readable): Promise<void> {
    let left = this.space;
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    const filling = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.length;
        done(left < 0 ? full : null, chunk);
      },
    });
    bytes.once('error', (error) => filling.destroy(error));
    filling.once('error', (error) => bytes.destroy(error));
    return super.put(key, bytes.pipe(filling));
  }
}

function expectUnavailable({ status, headers, body }: ClientResponse): void {
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('5');
  expect(body).toEqual({ error: 'Files cannot be stored or read at the moment. Try again later.' });
}

describe('A full disk', () => {
  const running = forAllTests(() =>
    startWithStore(startDisk, { LOG_LEVEL: 'error' }, (builder) =>
      builder.overrideProvider(FileStore).useFactory({
        inject: [Settings],
        factory: ({ DATA_DIR }: Settings) => new SmallDisk(join(DATA_DIR, 'files')),
      }),
    ),
  );

  it.each(BODIES)(
    'responds to %s with a 503, stores nothing of it and keeps working',
    async (_encoding, body) => {
      const disk = running.app.get<SmallDisk>(FileStore);
      const pushes = await running.dataSource.manager.count('Push');
      disk.space = 1_000_000;
      expectUnavailable(await running.user.client.post('/api/v2/pushes', body()));

      expect(await running.store.paths()).toEqual([]);
      expect(await running.dataSource.manager.count('Push')).toBe(pushes);
      await running.user.client.push({ payload: 'a text needs no space there' });

      disk.space = Infinity;
      const { url_token } = created(await running.user.client.post('/api/v2/pushes', body()));
      await running.user.client.delete(`/api/v2/pushes/${url_token}`);
    },
  );
});

describe('A disk that no file can be written to', () => {
  it('causes a 503 until files can be written', async () => {
    const running = await forThisTest(startWithStore(startDisk, { LOG_LEVEL: 'error' }));
    const folder = join(running.instance.dataDir, 'files');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'a file where a folder belongs');
    for (const [, body] of BODIES)
      expectUnavailable(await running.user.client.post('/api/v2/pushes', body()));

    await rm(folder);
    await mkdir(folder);
    for (const [, body] of BODIES) created(await running.user.client.post('/api/v2/pushes', body()));
  });

  it('causes a 503 for a download whose bytes are missing', async () => {
    const running = await forThisTest(startWithStore(startDisk, { LOG_LEVEL: 'error' }));
    const { url_token } = await pushFiles(running.user.client, [FILE]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    for (const path of await running.store.paths()) await rm(path);

    expectUnavailable(await running.anonymous.get(new URL(url).pathname));
  });
});

describe('An unreachable S3 server', () => {
  it('causes a 503, and the service keeps working', async () => {
    const running = await forThisTest(startWithStore(startS3, { LOG_LEVEL: 'error' }));
    const { url_token } = await pushFiles(running.user.client, [FILE]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    await running.store.stop();

    for (const [, body] of BODIES)
      expectUnavailable(await running.user.client.post('/api/v2/pushes', body()));
    expectUnavailable(await running.anonymous.get(new URL(url).pathname));
    await running.user.client.push({ payload: 'a text needs no store' });
    expect((await running.user.client.delete(`/api/v2/pushes/${url_token}`)).status).toBe(200);
    expect((await download(url)).status).toBe(403);
    expect((await running.anonymous.get('/ready')).status).toBe(200); // or no process would serve any request
    expect((await running.anonymous.get('/ready?full')).body.checks).toMatchObject({ store: false });
  });
});

describe('The files on the disk', () => {
  it('reveal nothing of contents, names and types (F5, H2)', async () => {
    const running = await forThisTest(startWithStore(startDisk));
    const files = [
      { name: 'my-plan-of-tulips.docx', type: 'application/x-tulip', content: 'tulip'.repeat(40_000) },
    ];
    await pushFiles(running.user.client, files);
    await running.user.client.push({ files: encoded(files) });

    const entries = await readdir(running.instance.dataDir, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(await running.store.paths()).toHaveLength(2);
    for (const path of paths) {
      expect(path).not.toContain('tulip');
      expect((await readFile(path)).includes('tulip')).toBe(false);
    }
  });
});

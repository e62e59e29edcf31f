import { randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { StoredFile } from '../../src/files/file.entity.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';

const SEALED_CHUNK = 65_536 + 16;
const SIZE = 3 * 65_536 + 1000;

describe.each(STORES)('A file that was changed on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start, { LOG_LEVEL: 'error' }));

  /** Pushes a file, and returns the path of its sealed bytes and its link. */
  async function store(content = randomBytes(SIZE)) {
    const before = await running.store.paths();
    const { url_token } = await pushFiles(running.user.client, [{ name: 'a.bin', content }]);
    const [path = ''] = (await running.store.paths()).filter((one) => !before.includes(one));
    const [url = ''] = await linksOf(running.anonymous, url_token);
    return { content, path, url };
  }

  async function change(path: string, act: (bytes: Buffer) => Buffer): Promise<void> {
    await writeFile(path, act(await readFile(path)));
  }

  it.each([0, 65_535, 65_536, 65_551])('fails before its first byte is sent: byte %d changed', async (at) => {
    const { path, url } = await store();
    await change(path, (bytes) => flip(bytes, at));

    await expectRefused(url);
  });

  it.each([SEALED_CHUNK, 2 * SEALED_CHUNK + 5, 3 * SEALED_CHUNK + 1015])(
    'is never sent completely: byte %d changed',
    async (at) => {
      const { path, url } = await store();
      await change(path, (bytes) => flip(bytes, at));

      await expectBroken(url);
    },
  );

  it('returns ranges that are intact, and no others', async () => {
    const { content, path, url } = await store();
    await change(path, (bytes) => flip(bytes, SEALED_CHUNK + 5));
    const { status, bytes } = await download(url, { Range: 'bytes=131072-' });

    expect(status).toBe(206);
    expect(bytes.equals(content.subarray(131_072))).toBe(true);
    await expectRefused(url, { Range: 'bytes=65536-65536' });
  });

  it.each([
    ['a byte', SIZE + 4 * 16 - 1],
    ['the last chunk', 3 * SEALED_CHUNK],
    ['two chunks', 2 * SEALED_CHUNK],
    ['a chunk and a half', 2 * SEALED_CHUNK + 30_000],
    ['all but the first chunk', SEALED_CHUNK],
  ])('is never sent truncated as if it were complete: without %s', async (_what, length) => {
    const { path, url } = await store();
    await truncate(path, length);

    await expectBroken(url);
  });

  it.each([0, 1, 15, 1000])('fails before its first byte is sent: only %d bytes left', async (length) => {
    const { path, url } = await store();
    await truncate(path, length);

    await expectRefused(url);
  });

  it('fails when it was empty and its end mark is missing', async () => {
    const { path, url } = await store(Buffer.alloc(0));
    await truncate(path, 0);

    await expectRefused(url);
  });

  it('fails when its chunks were swapped', async () => {
    const { path, url } = await store();
    await change(path, (bytes) =>
      Buffer.concat([
        bytes.subarray(SEALED_CHUNK, 2 * SEALED_CHUNK),
        bytes.subarray(0, SEALED_CHUNK),
        bytes.subarray(2 * SEALED_CHUNK),
      ]),
    );

    await expectRefused(url);
  });

  it('fails when it was replaced by another file (J1)', async () => {
    const [one, other] = [await store(), await store()];
    const [first, second] = [await readFile(one.path), await readFile(other.path)];
    await writeFile(one.path, second);
    await writeFile(other.path, first);

    await expectRefused(one.url);
    await expectRefused(other.url);
  });

  it('fails when rows of one push were swapped (J1)', async () => {
    const files = ['a', 'b'].map((name) => ({ name, content: randomBytes(100) }));
    const { url_token } = await pushFiles(running.user.client, files);
    const [first = '', second = ''] = await linksOf(running.anonymous, url_token);
    const { manager } = running.dataSource;
    const [a, b] = (await manager.find(StoredFile, { order: { id: 'DESC' }, take: 2 })) as [
      StoredFile,
      StoredFile,
    ];
    await manager.update(StoredFile, { id: a.id }, { storageKey: b.storageKey });
    await manager.update(StoredFile, { id: b.id }, { storageKey: a.storageKey });

    await expectRefused(first);
    await expectRefused(second);
  });

  it('fails when its row has another size', async () => {
    const { url } = await store();
    const { manager } = running.dataSource;
    const [row] = (await manager.find(StoredFile, { order: { id: 'DESC' }, take: 1 })) as [StoredFile];

    for (const size of [SIZE - 1, SIZE + 1, 2 * 65_536, 65_536, 0]) {
      await manager.update(StoredFile, { id: row.id }, { size });
      await expectBroken(url);
    }
  });

  it('is not shown under the name of another one that was copied to its row (J1)', async () => {
    const files = ['a', 'b'].map((name) => ({ name, content: 'x' }));
    const { url_token } = await pushFiles(running.user.client, files);
    const { manager } = running.dataSource;
    const [a, b] = (await manager.find(StoredFile, { order: { id: 'DESC' }, take: 2 })) as [
      StoredFile,
      StoredFile,
    ];
    await manager.update(StoredFile, { id: a.id }, { name: b.name });

    expect((await running.anonymous.retrieve(url_token)).body.files).toMatchObject([
      {},
      { filename: 'file-2' },
    ]);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

/** No byte of it was sent. */
async function expectRefused(url: string, headers?: Record<string, string>): Promise<void> {
  const { status, bytes } = await download(url, headers);

  expect([500, 503]).toContain(status);
  expect(JSON.parse(String(bytes))).toEqual({ error: expect.any(String) });
}

/** No byte of it was sent, or the connection was closed before the end. It does not hang. */
async function expectBroken(url: string): Promise<void> {
  const outcome = await fetch(url, { signal: AbortSignal.timeout(3000) })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .catch((error: unknown) => (error as Error).name);
  expect([500, 503, 'TypeError']).toContain(outcome);
}

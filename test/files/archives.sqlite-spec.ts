import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { ArchivesService } from '../../src/files/archives.service.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { FilePurgeService } from '../../src/files/file-purge.service.js';
import { FileStore } from '../../src/files/file-store.js';
import { Log } from '../../src/platform/logging/log.js';
import { archiveLink, readZip } from '../support/archives.js';
import { eventually } from '../support/eventually.js';
import type { TestFile } from '../support/files.js';
import { digest, download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { stalledReader } from '../support/stalled-reader.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';

const CHUNK = 65_536;
const REFUSED = { status: 403, body: { error: 'This download link is invalid or has expired.' } };
const TWO = [
  { name: 'a.txt', content: 'hello' },
  { name: 'b.txt', content: 'world' },
];
/** The first has more than the buffers between server and client hold. */
const LARGE = [20_000_000, 1, 1].map((size, i) => ({ name: `${i}.bin`, content: Buffer.alloc(size, i) }));

const ticketIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const minutesFrom = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);

describe.each(STORES)('The link to all files of a push, stored on %s,', (_store, start) => {
  const running = forAllTests(() => startWithStore(start, { LOG_LEVEL: 'error', MAX_FILES: '50' }));

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const push = async (files: TestFile[], fields: Record<string, string> = {}) => {
    const { url_token } = await pushFiles(running.user.client, files, fields);
    return { urlToken: url_token as string, url: await archiveLink(running.url, url_token) };
  };
  const rowsOf = async () => {
    const [{ pushId }] = (await running.dataSource.manager.find(StoredFile, {
      order: { id: 'DESC' },
      take: 1,
    })) as [StoredFile];
    return running.dataSource.manager.find(StoredFile, { where: { pushId }, order: { position: 'ASC' } });
  };
  /** The files that the store has opened since. */
  const watchOpened = () => {
    const store = running.app.get(FileStore);
    const read = store.read.bind(store);
    const opened: Readable[] = [];
    jest.spyOn(store, 'read').mockImplementation(async (...asked) => {
      const bytes = await read(...asked);
      opened.push(bytes);
      return bytes;
    });
    return opened;
  };

  it('downloads twenty files of any size and name, in their order, as tools expect them', async () => {
    const files = Array.from({ length: 20 }, (_, i) => ({
      name: `Übersicht ${i} – 文書 😀.bin`,
      content: randomBytes([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 300_000][i % 6] ?? 0),
    }));
    const { url } = await push(files);

    const { status, headers, bytes } = await download(url);

    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toBe('attachment; filename=files.zip');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(await readZip(bytes)).toEqual(
      files.map(({ name, content }) => ({
        name,
        size: content.length,
        digest: digest(content),
        isUtf8: true,
      })),
    );
  });

  it('keeps files of the same name and hostile names apart, in one folder (F1, E4)', async () => {
    const names = ['a.txt', 'a.txt', 'A.txt', '../../x', '/x', 'C:\\x', 'nul', 'a:b', 'a\r\nb', '..'];
    const { url } = await push(
      names.map((name, i) => ({ name: name.replace(/\r\n/, ' '), content: `${i}` })),
    );

    const entries = await readZip((await download(url)).bytes);

    expect(entries.map(({ name }) => name)).toEqual([
      'a.txt',
      'a (2).txt',
      'A (3).txt',
      'x',
      'x (2)',
      'x (3)',
      'nul_',
      'a_b',
      'a b',
      'file',
    ]);
    expect(entries.map((entry) => entry.digest)).toEqual(names.map((_, i) => digest(`${i}`)));
  });

  it('is on the page of a push with several files only', async () => {
    expect((await push(TWO)).url).not.toBe('');
    expect((await push(TWO.slice(1))).url).toBe('');
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    expect(await archiveLink(running.url, url_token)).toBe('');
  });

  it('works after the last view, and for exactly as long as the links to the files', async () => {
    const before = new Date();
    const { url } = await push(TWO, { expire_after_views: '1' });
    const after = new Date();
    const find = (now: Date) => running.app.get(ArchivesService).find(ticketIn(url), '192.0.2.1', now);

    expect((await download(url)).status).toBe(200);
    await expect(find(new Date(minutesFrom(before, 10).getTime() - 1))).resolves.toMatchObject({
      entries: [{ name: 'a.txt' }, { name: 'b.txt' }],
    });
    await expect(find(minutesFrom(after, 10))).rejects.toMatchObject({ status: 403 });
  });

  it('is described by HEAD, which is not audited', async () => {
    const { url } = await push(TWO);
    const { status, headers } = await running.anonymous.head(new URL(url).pathname);

    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String((await download(url)).bytes.length));
  });

  it('is audited once, on its first request', async () => {
    const { url } = await push(TWO);
    const [{ pushId }] = (await rowsOf()) as [StoredFile];
    const audited = () => running.dataSource.manager.countBy(AuditEntry, { pushId, kind: 'file_download' });
    await running.anonymous.head(new URL(url).pathname);
    expect(await audited()).toBe(0);

    await Promise.all(Array.from({ length: 10 }, () => download(url)));
    expect(await audited()).toBe(1);
  });

  it('ends immediately when the push is deleted (F4)', async () => {
    for (const views of ['1', '5']) {
      const { urlToken, url } = await push(TWO, { expire_after_views: views });
      await running.user.client.delete(`/api/v2/pushes/${urlToken}`);

      expect(await running.anonymous.get(new URL(url).pathname)).toMatchObject(REFUSED);
    }
  });

  it('is no link to one file, nor one of those a link to all', async () => {
    const { url_token } = await pushFiles(running.user.client, TWO);
    const [single = ''] = await linksOf(running.anonymous, url_token);
    const all = await archiveLink(running.url, url_token);

    for (const path of [`/files/all/${ticketIn(single)}`, `/files/${ticketIn(all)}`, '/files/all/x'])
      expect(await running.anonymous.get(path)).toMatchObject(REFUSED);
  });

  it.each([0, 1, 2])('never ends as a whole archive when file %d was changed (J1)', async (changed) => {
    const files = ['a', 'b', 'c'].map((name) => ({ name, content: randomBytes(3 * CHUNK) }));
    const { url } = await push(files);
    const { storageKey } = (await rowsOf())[changed] as StoredFile;
    const path = (await running.store.paths()).find((one) => one.includes(storageKey)) ?? '';
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(2 * CHUNK) ^ 1, 2 * CHUNK);
    await writeFile(path, bytes);

    await expectBroken(url);
  });

  it('fails before its first byte when the first file cannot be read', async () => {
    const { url } = await push(TWO);
    jest.spyOn(running.app.get(FileStore), 'read').mockRejectedValue(new Error('broken disk'));

    expect((await download(url)).status).toBe(500);
  });

  it('breaks off when the store fails in the middle', async () => {
    const { url } = await push(TWO);
    const store = running.app.get(FileStore);
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementationOnce(read).mockRejectedValueOnce(new Error('broken disk'));

    await expectBroken(url);
  });

  it('breaks off when the push is deleted in the middle, and sends no later file', async () => {
    const { urlToken, url } = await push(LARGE);
    const opened = watchOpened();
    const reader = await stalledReader(url);
    await running.user.client.delete(`/api/v2/pushes/${urlToken}`);
    const rest = buffer(reader).then(
      () => 'whole',
      () => 'broken',
    );

    expect(await rest).toBe('broken');
    expect(opened).toHaveLength(1);
  });

  it('opens one file at a time, as fast as the client reads, and closes it with the connection', async () => {
    const failure = jest.spyOn(running.app.get(Log), 'failure');
    const { url } = await push(LARGE);
    const opened = watchOpened();
    const reader = await stalledReader(url);
    await once(reader, 'readable');
    expect(opened).toHaveLength(1);
    expect(opened[0]?.closed).toBe(false);

    reader.destroy();
    await eventually(() => opened[0]?.closed ?? false);
    expect(opened).toHaveLength(1);
    expect(failure).not.toHaveBeenCalled();
  });

  it('closes each file before it opens the next', async () => {
    const { url } = await push(LARGE);
    const store = running.app.get(FileStore);
    const read = store.read.bind(store);
    const opened: Readable[] = [];
    const stillOpen: boolean[] = [];
    jest.spyOn(store, 'read').mockImplementation(async (...asked) => {
      stillOpen.push(opened.some(({ readableEnded, destroyed }) => !readableEnded && !destroyed));
      const bytes = await read(...asked);
      opened.push(bytes);
      return bytes;
    });
    await download(url);

    expect(stillOpen).toEqual([false, false, false]);
  });

  it('keeps the files of an ended push while it is sent for longer than links last', async () => {
    const { url } = await push(LARGE, { expire_after_views: '1' });
    const archives = running.app.get(ArchivesService);
    const archive = await archives.find(ticketIn(url), '192.0.2.1');
    const startedAt = new Date();
    let minutes = 0;
    const zip = await archives.open(archive, () => minutesFrom(startedAt, (minutes += 0.1)));
    const bytes = await buffer(zip);
    await running.app.get(FilePurgeService).purge(minutesFrom(startedAt, 11));

    expect(BigInt(bytes.length)).toBe(archive.size);
    expect(minutes).toBeGreaterThan(5);
    expect(await rowsOf()).toHaveLength(3);
    await running.app.get(FilePurgeService).purge(minutesFrom(startedAt, 90));
    expect(await running.dataSource.manager.countBy(StoredFile, { pushId: archive.pushId })).toBe(0);
  });
});

/** No byte of it was sent, or the connection was closed before the end. It does not hang. */
async function expectBroken(url: string): Promise<void> {
  const outcome = await fetch(url, { signal: AbortSignal.timeout(5000) })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .catch((error: unknown) => (error as Error).name);
  expect([500, 503, 'TypeError']).toContain(outcome);
}

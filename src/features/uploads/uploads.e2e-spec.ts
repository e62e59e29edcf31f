import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { download, encoded, formOf, linksOf } from '../../../test/support/files.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { spawnTwo } from '../../../test/support/spawn-server.js';
import { startApp } from '../../../test/support/start-app.js';
import { startWithStore } from '../../../test/support/start-with-store.js';
import { STORES } from '../../../test/support/stores.js';
import { beginUpload, tryToBegin, upload } from '../../../test/support/tus.js';
import { Not } from 'typeorm';
import { OrphanSweep } from '../../files/orphan-sweep.js';
import { DAY_MS, HOUR_MS, MIB } from '../../platform/settings/units.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import { PartialUpload } from './upload.entity.js';
import { UploadRemoval } from './upload-removal.js';

const NOT_FOUND = { status: 404, body: { error: 'not-found' } };
const UNUSABLE = {
  status: 422,
  body: { uploads: ['must be ids of finished uploads of this account, each once and of no other push'] },
};

describe.each(STORES)('Uploads in parts on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start, { MAX_FILE_SIZE: String(64 * MIB) }));
  const push = (fields: object, client = running.user.client) =>
    client.post('/api/v2/pushes', { push: fields });
  const contentsOf = async (urlToken: string) => {
    const urls = await linksOf(running.anonymous, urlToken);
    return Promise.all(urls.map(async (url) => (await download(url)).bytes));
  };

  afterEach(() => running.app.get(UploadRemoval).removeEnded(new Date(Date.now() + 2 * DAY_MS)));

  it.each([
    ['nothing', 0, 1000],
    ['a byte', 1, 1000],
    ['one chunk', 65_536, 65_536],
    ['parts of odd sizes', 300_001, 70_001],
    ['more than one part of S3', 20 * MIB + 5, 3 * MIB],
    ['all at once', 20 * MIB, 20 * MIB],
    ['one part of S3 and the beginning of another', 9 * MIB, 16 * MIB],
  ])('become files of a push: %s', async (_what, length, size) => {
    const content = randomBytes(length);
    const done = await upload(
      running.user.client,
      content,
      { filename: 'Grüße.txt', filetype: 'text/plain' },
      size,
    );
    const { status, body } = await push({ uploads: [done.url], payload: 'see the file' });

    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'file' });
    const retrieved = await running.anonymous.retrieve(body.url_token);
    expect(retrieved.body.files).toEqual([
      { filename: 'Grüße.txt', content_type: 'text/plain', url: expect.any(String) },
    ]);
    const { bytes } = await download(retrieved.body.files[0].url);
    expect(bytes.equals(content)).toBe(true);
    expect(await done.head()).toMatchObject({ status: 404 });
    expect(await running.store.paths()).toHaveLength(await fileCount());
  });

  const fileCount = async () => Number((await running.query('SELECT COUNT(*) AS n FROM files'))[0].n);

  it('say how far they are, and go on from there', async () => {
    const content = randomBytes(200_000);
    const begun = await beginUpload(running.user.client, content.length, { filename: 'a', secret: 'b' });
    expect((await begun.part(0, content.subarray(0, 100_001))).status).toBe(204);
    const { status, headers } = await begun.head();

    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '100001',
      'upload-length': '200000',
      'upload-metadata': 'filename YQ==,secret Yg==',
      'cache-control': expect.stringContaining('no-store'),
    });
    expect(Date.parse(headers.get('Upload-Expires') ?? '') - Date.now()).toBeGreaterThan(23 * HOUR_MS);
    expect((await begun.part(0, content)).status).toBe(409);
    expect((await begun.part(100_002, content)).status).toBe(409);
    await begun.sendRest(content);
    const { body } = await push({ uploads: [begun.id] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('may begin with their first part', async () => {
    const content = randomBytes(100_000);
    const { status, headers } = await tryToBegin(
      running.user.client,
      content.length,
      { filename: 'a' },
      {},
      content,
    );

    expect([status, headers.get('Upload-Offset')]).toEqual([201, '100000']);
    const { body } = await push({ uploads: [headers.get('Location')] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('are mixed with other files, in order, in JSON and in forms', async () => {
    const names = async (body: object) => {
      const { status, body: created } = await running.user.client.post('/api/v2/pushes', body);
      expect(status).toBe(201);
      const { body: retrieved } = await running.anonymous.retrieve(created.url_token);
      return retrieved.files.map(({ filename }: { filename: string }) => filename);
    };
    const named = (name: string) => upload(running.user.client, name, { filename: name });
    const [a, b, c, d] = [await named('a'), await named('b'), await named('c'), await named('d')];
    const files = [{ name: 'first', content: 'x' }];
    const form = formOf(files);
    for (const { id } of [d, c]) form.append('push[uploads][]', id);

    expect(await names({ push: { files: encoded(files), uploads: [b.id, a.url] } })).toEqual([
      'first',
      'b',
      'a',
    ]);
    expect(await names(form)).toEqual(['first', 'd', 'c']);
  });

  it('belong to version 1 too', async () => {
    const { id } = await upload(running.user.client, 'tulip');
    const { status, body } = await running.user.client.post('/p.json', { password: { uploads: [id] } });

    expect(status).toBe(201);
    expect(String((await contentsOf(body.url_token))[0])).toBe('tulip');
  });

  it('are used by one push at most, all of them or none (A1)', async () => {
    const { url_token: before } = await running.user.client.push({ payload: 'x' });
    const [one, two] = [await upload(running.user.client, 'one'), await upload(running.user.client, 'two')];
    const unfinished = await beginUpload(running.user.client, 5);
    for (const uploads of [
      [one.id, unfinished.id],
      [one.id, 'x'.repeat(43)],
      [one.id, one.id],
      [one.id, ''],
      [one.id, before],
    ])
      expect(await push({ uploads })).toMatchObject(UNUSABLE);
    expect((await push({ uploads: [one.id], expire_after_views: 0 })).status).toBe(422);

    const statuses = (await allAtOnce(10, () => push({ uploads: [two.id, one.id] }))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([201, ...Array(9).fill(422)]);
  });

  it.each([[{}], ['x'.repeat(3000)], [7], [[7]], [[{}]], [Array(11).fill('x')], [[null]]])(
    'cannot be named by %j',
    async (uploads) => {
      expect(await push({ uploads })).toMatchObject({ status: 422, body: { uploads: [expect.any(String)] } });
    },
  );

  it('that are none count as no files', async () => {
    expect(await push({ payload: 'x', uploads: [] })).toMatchObject({ status: 201, body: { kind: 'text' } });
    expect(await push({ payload: 'x', uploads: [''] }, running.anonymous)).toMatchObject({ status: 201 });
  });

  it('of an account are nobody else’s (C7)', async () => {
    const other = (await running.newUser()).client;
    const done = await upload(running.user.client, 'tulip');
    for (const stranger of [other, running.anonymous]) {
      const theirs = done.by(stranger);
      for (const response of [await theirs.head(), await theirs.part(0, 'x'), await theirs.end()])
        expect(response.status).toBe(404);
    }
    expect(await done.by(other).part(5, '')).toMatchObject(NOT_FOUND);
    expect(await push({ uploads: [done.id] }, other)).toMatchObject(UNUSABLE);
    expect((await done.head()).status).toBe(200);
  });

  it('end at their owner’s word, with what is stored', async () => {
    const begun = await beginUpload(running.user.client, 30 * MIB);
    await begun.part(0, randomBytes(10 * MIB));
    expect(await running.store.paths()).not.toHaveLength(await fileCount());

    expect((await begun.end()).status).toBe(204);
    for (const { status } of [await begun.head(), await begun.part(10 * MIB, 'x'), await begun.end()])
      expect(status).toBe(404);
    expect(await running.store.paths()).toHaveLength(await fileCount());
  });

  it('end while a part arrives, of which nothing is left', async () => {
    const before = await running.store.paths();
    const content = randomBytes(20 * MIB);
    const withChecksum = { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };
    for (const checksum of [undefined, withChecksum]) {
      const begun = await beginUpload(running.user.client, content.length);
      const part = begun.beginPart(0, content.length, content.subarray(0, 10 * MIB), checksum);
      await eventually(async () => (await running.store.paths()).length > before.length);
      expect((await begun.end()).status).toBe(204);
      part.sending.end(content.subarray(10 * MIB));

      expect(await part.status).not.toBe(204);
      expect(await running.store.paths()).toEqual(before);
    }
  });

  it('end after a day, with what is stored, whether they are complete or not (F4)', async () => {
    const before = await running.store.paths();
    const done = await upload(running.user.client, randomBytes(10 * MIB));
    const begun = await beginUpload(running.user.client, 30 * MIB);
    await begun.part(0, randomBytes(17 * MIB));
    const removal = running.app.get(UploadRemoval);

    await removal.removeEnded(new Date(Date.now() + DAY_MS - HOUR_MS));
    expect((await done.head()).status).toBe(200);
    await removal.removeEnded(new Date(Date.now() + DAY_MS + HOUR_MS));
    expect((await done.head()).status).toBe(404);
    expect(await push({ uploads: [done.id] })).toMatchObject(UNUSABLE);
    expect(await running.store.paths()).toEqual(before);
    expect(await running.dataSource.manager.countBy(PartialUpload, {})).toBe(0);
  });

  it('are gone between their end and their removal', async () => {
    const done = await upload(running.user.client, 'tulip');
    const ended = { endsAt: new Date(Date.now() - 1) };
    await running.dataSource.manager.update(PartialUpload, { id: Not('') }, ended);

    expect(await done.part(5, '')).toMatchObject({
      status: 410,
      body: { error: 'This upload has ended. Begin a new one.' },
    });
    expect((await done.head()).status).toBe(410);
    expect(await push({ uploads: [done.id] })).toMatchObject(UNUSABLE);
  });

  it('end with their account', async () => {
    const before = await running.store.paths();
    const user = await running.newUser();
    const begun = await beginUpload(user.client, 30 * MIB);
    await begun.part(0, randomBytes(9 * MIB));
    await running.app.get(AccountRemovalService).remove(user);
    await running.app.get(UploadRemoval).removeEnded();

    expect(await running.store.paths()).toEqual(before);
  });

  it('are left by the sweep of unknown files, whose pieces it removes when they are gone', async () => {
    const begun = await beginUpload(running.user.client, 30 * MIB);
    const content = randomBytes(30 * MIB);
    await begun.part(0, content.subarray(0, 9 * MIB));
    const sweep = running.app.get(OrphanSweep);
    for (const days of [2, 4]) {
      const { unknown } = await sweep.sweep(new Date(Date.now() + days * DAY_MS));
      expect(unknown).toBe(0);
    }
    await begun.sendRest(content, 10 * MIB);
    const { body } = await push({ uploads: [begun.id] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('are continued by one of those that send a part at once', async () => {
    const content = randomBytes(2 * MIB);
    const begun = await beginUpload(running.user.client, content.length);
    const answers = await allAtOnce(5, () => begun.part(0, content));
    const statuses = answers.map(({ status }) => status).toSorted();

    expect(statuses[0]).toBe(204);
    expect(statuses.slice(1).every((status) => status === 409 || status === 423)).toBe(true);
    const { body } = await push({ uploads: [begun.id] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('are continued by any process', async () => {
    const others = await forThisTest(spawnTwo(running.instance, running.store.env));
    const clients = others.all.map(({ anonymous }) => anonymous.with(running.user.client.headers));
    const content = randomBytes(20 * MIB);
    const begun = await beginUpload(running.user.client, content.length);
    const size = 3_000_000;
    for (let part = 0; part * size < content.length; part++) {
      const bytes = content.subarray(part * size, (part + 1) * size);
      const { status } = await begun.by(clients[part % 2] ?? running.anonymous).part(part * size, bytes);
      expect(status).toBe(204);
    }
    const { body } = await push({ uploads: [begun.id] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('drop a part whose checksum differs, and only that', async () => {
    const content = randomBytes(10 * MIB);
    const begun = await beginUpload(running.user.client, content.length);
    const checksum = (algorithm: string, bytes: Buffer) => ({
      'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`,
    });
    const first = content.subarray(0, 9 * MIB);
    const rest = content.subarray(9 * MIB);

    const wrong = await begun.part(0, randomBytes(9 * MIB), checksum('sha1', first));
    expect([wrong.status, await begun.offset()]).toEqual([460, 0]);
    expect((await begun.part(0, first, checksum('sha1', first))).status).toBe(204);
    expect((await begun.part(first.length, Buffer.alloc(MIB), checksum('sha256', rest))).status).toBe(460);
    expect((await begun.part(first.length, rest, { 'Upload-Checksum': 'md5 AAAA' })).status).toBe(400);
    expect((await begun.part(first.length, rest, checksum('sha256', rest))).status).toBe(204);
    const { body } = await push({ uploads: [begun.id] });
    expect((await contentsOf(body.url_token))[0]?.equals(content)).toBe(true);
  });

  it('can be downloaded in part and in the archive', async () => {
    const content = randomBytes(300_000);
    const done = await Promise.all([
      upload(running.user.client, content),
      upload(running.user.client, 'tulip'),
    ]);
    const { body } = await push({ uploads: done.map(({ id }) => id) });
    const { body: retrieved } = await running.anonymous.retrieve(body.url_token);
    const range = await download(retrieved.files[0].url, { Range: 'bytes=100000-200000' });

    expect(range.status).toBe(206);
    expect(range.bytes.equals(content.subarray(100_000, 200_001))).toBe(true);
  });

  it('are stored, with name and type, so that nobody can read them (F5)', async () => {
    const begun = await beginUpload(running.user.client, 20 * MIB, { filename: 'correct-horse.txt' });
    await begun.part(0, 'battery staple '.repeat(700_000));
    const rows = JSON.stringify(await running.query('SELECT * FROM uploads'), (_, value: unknown) =>
      value instanceof Buffer || (value as { type?: string } | null)?.type === 'Buffer'
        ? Buffer.from(value as Buffer).toString('latin1')
        : value,
    );
    const stored = await Promise.all((await running.store.paths()).map((path) => readFile(path)));

    expect(stored.some((bytes) => bytes.includes('staple'))).toBe(false);
    expect(rows).not.toMatch(/staple|horse/);
    expect(rows).not.toContain(begun.id);
  });
});

describe('The quota of an account', () => {
  it('is exact for uploads that are begun at once (F2)', async () => {
    const running = await forThisTest(startApp({ UPLOAD_BYTES_PER_DAY: '100' }));
    const { client } = await running.newUser();
    const begun = await allAtOnce(10, () => tryToBegin(client, 30));

    expect(begun.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(3).fill(201),
      ...Array<number>(7).fill(429),
    ]);
  });
});

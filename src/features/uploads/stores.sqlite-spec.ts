import { randomBytes } from 'node:crypto';
import { FileStore } from '../../files/file-store.js';
import { OrphanSweep } from '../../files/orphan-sweep.js';
import { BodiesInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS, MIB } from '../../platform/settings/units.js';
import { eventually } from '../../../test/support/eventually.js';
import { download, linksOf } from '../../../test/support/files.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { startWithStore } from '../../../test/support/start-with-store.js';
import { STORES, startS3 } from '../../../test/support/stores.js';
import { beginUpload, tryToBegin, upload } from '../../../test/support/tus.js';
import { PartialUpload } from './upload.entity.js';

const WRONG = { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };

describe.each(STORES)('A long part of an upload on %s', (_store, start) => {
  it('is saved while it arrives', async () => {
    const running = await forThisTest(startWithStore(start));
    const store = running.app.get(FileStore);
    const append = store.append.bind(store);
    const saves: number[] = [];
    jest.spyOn(store, 'append').mockImplementation(async (...parameters) => {
      const appending = await append(...parameters);
      const save = appending.save.bind(appending);
      appending.save = async (isAll) => {
        const saved = await save(isAll);
        saves.push(saved.bytes);
        return saved;
      };
      return appending;
    });
    const content = randomBytes(70 * MIB);
    const done = await upload(running.user.client, content);

    expect(saves.length).toBeGreaterThan(1);
    expect(saves[0]).toBeGreaterThan(0);
    expect(saves[0]).toBeLessThan(content.length);
    const { url_token } = await running.user.client.push({ uploads: [done.id] });
    const [link = ''] = await linksOf(running.anonymous, url_token);
    expect((await download(link)).bytes.equals(content)).toBe(true);
  });
});

describe('Uploads in parts on S3', () => {
  const running = forAllTests(() =>
    startWithStore(startS3, { MAX_BODY_BYTES_IN_PROGRESS: String(34 * MIB) }),
  );

  it('leave nothing of parts that were dropped', async () => {
    const before = await running.store.paths();
    const content = randomBytes(10 * MIB);
    const begun = await beginUpload(running.user.client, 20 * MIB);

    expect((await begun.part(0, content, WRONG)).status).toBe(460);
    expect((await tryToBegin(running.user.client, 20 * MIB, {}, WRONG, content)).status).toBe(460);
    expect(await running.store.paths()).toEqual(before);
  });

  it('that no row names are aborted by the sweep, also if a row has their key', async () => {
    const { dataSource, store, user } = running;
    const content = randomBytes(20 * MIB);
    const [lost, kept] = [await beginUpload(user.client, 20 * MIB), await beginUpload(user.client, 20 * MIB)];
    for (const begun of [lost, kept]) await begun.part(0, content.subarray(0, 9 * MIB));
    const fresh = { received: 0, storedBytes: 0, storeState: null };
    await dataSource.manager.update(PartialUpload, { tokenDigest: digestOf(lost.id) }, fresh);
    const before = await store.paths();
    const sweep = running.app.get(OrphanSweep);

    await sweep.sweep(new Date(Date.now() + DAY_MS / 2));
    expect(await store.paths()).toEqual(before);
    await sweep.sweep(new Date(Date.now() + 2 * DAY_MS));
    expect(await store.paths()).toHaveLength(before.length - 1);
    await kept.sendRest(content);
    expect((await user.client.post('/api/v2/pushes', { push: { uploads: [kept.id] } })).status).toBe(201);
  });

  it('give their memory to others while they say nothing (L3)', async () => {
    const content = randomBytes(9 * MIB);
    const silent = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const begun = await beginUpload(running.user.client, 20 * MIB);
        return begun.beginPart(0, 20 * MIB, content.subarray(0, MIB));
      }),
    );
    const other = await beginUpload(running.user.client, content.length);
    await eventually(() => running.app.get(BodiesInProgress).count === silent.length);

    expect((await other.part(0, content)).status).toBe(204);
    for (const { sending } of silent) sending.destroy();
  });
});

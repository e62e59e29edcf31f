import { Readable } from 'node:stream';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { FileStore } from '../../src/files/file-store.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { OrphanSweep, UnknownFile } from '../../src/files/orphan-sweep.js';
import { Log } from '../../src/platform/logging/log.js';
import { newId } from '../../src/platform/random/random.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { command } from '../support/command.js';
import { beginForm } from '../support/begin-form.js';
import { eventually } from '../support/eventually.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { startS3, STORES } from '../support/stores.js';

const EMPTY = Buffer.alloc(0);

describe.each(STORES)('The sweep of files without a row on %s', (_store, start) => {
  const running = forEachTest(() => startWithStore(start));
  let warnings: [string, object][];

  beforeEach(() => {
    warnings = [];
    jest.spyOn(running.app.get(Log), 'warning').mockImplementation((message, facts) => {
      warnings.push([message, facts]);
    });
  });

  let stored = 0;

  /** Stores files, and returns their keys. */
  async function store(count: number): Promise<string[]> {
    const keys = Array.from({ length: count }, () => String(++stored).padStart(48, '0'));
    for (const key of keys) await running.app.get(FileStore).put(key, Readable.from(['tulip']));
    return keys;
  }

  /** The same with a row for each. */
  async function storeKnown(count: number): Promise<string[]> {
    const keys = await store(count);
    await addRows(keys);
    return keys;
  }

  async function addRows(keys: string[]): Promise<void> {
    const rows = keys.map((storageKey, position) => ({
      ...{ id: newId(), pushId: newId(), position, name: EMPTY, contentType: EMPTY, size: 5, storageKey },
      ...{ linksUntil: null, endedOn: null, downloadsAudited: 0 },
    }));
    await running.dataSource.manager.insert(StoredFile, rows);
  }

  const sweepAt = (ms: number) => running.app.get(OrphanSweep).sweep(new Date(Date.now() + ms));
  const sweepInDays = async (...days: number[]) => {
    const removed: number[] = [];
    for (const day of days) removed.push((await sweepAt(day * DAY_MS)).removed);
    return removed;
  };
  const keysLeft = async () => {
    const keys: string[] = [];
    for await (const { key } of running.app.get(FileStore).list()) keys.push(key);
    return keys.sort();
  };
  const remembered = async () =>
    (await running.dataSource.manager.find(UnknownFile)).map(({ storageKey }) => storageKey).sort();

  it('removes what two sweeps a day apart did not know, and warns with numbers', async () => {
    const known = await storeKnown(18);
    const unknown = await store(2);

    expect(await sweepInDays(0.1, 0.5, 1.05)).toEqual([0, 0, 0]);
    expect(await remembered()).toEqual(unknown);
    expect(warnings).toEqual([]);
    expect(await sweepInDays(1.2)).toEqual([2]);
    expect(await keysLeft()).toEqual(known);
    expect(await remembered()).toEqual([]);
    expect(warnings).toEqual([
      ['Files that the database does not know were removed', { removed: 2, unknown: 2, files: 20 }],
    ]);
  });

  it('removes nothing on its first run, however old files are', async () => {
    await storeKnown(10);
    await store(1);

    expect(await sweepInDays(300)).toEqual([0]);
    expect(await sweepInDays(300.9)).toEqual([0]);
    expect(await sweepInDays(301.1)).toEqual([1]);
  });

  it('does not look at files of the last hour, which may be uploads in progress', async () => {
    await storeKnown(10);
    await store(1);
    await sweepAt(0.9 * HOUR_MS);

    expect(await remembered()).toEqual([]);
  });

  it('begins anew with a file that the database has known in the meantime', async () => {
    await storeKnown(10);
    const [key = ''] = await store(1);
    await sweepInDays(0.1);
    await addRows([key]);
    await sweepInDays(0.6);
    await running.dataSource.manager.delete(StoredFile, { storageKey: key });

    expect(await sweepInDays(1.2, 2.1)).toEqual([0, 0]);
    expect(await sweepInDays(2.3)).toEqual([1]);
  });

  it('forgets files that are gone, and times of a clock that was ahead (M7)', async () => {
    await storeKnown(20);
    const [gone = '', kept = ''] = await store(2);
    await sweepInDays(400);
    await running.app.get(FileStore).remove(gone);

    await sweepInDays(1);
    expect(await remembered()).toEqual([kept]);
    expect(await sweepInDays(1.9)).toEqual([0]);
    expect(await sweepInDays(2.1)).toEqual([1]);
  });

  it('removes nothing, and says so once, while more than a tenth is unknown (N1)', async () => {
    const known = await storeKnown(17);
    const unknown = await store(2);
    const tooMuch = { files: 19, unknown: 2 };
    for (let minutes = 70; minutes < 3000; minutes += 300)
      expect(await sweepAt(minutes * MINUTE_MS)).toEqual({ ...tooMuch, removed: 0 });

    expect(await keysLeft()).toEqual([...known, ...unknown].sort());
    expect(warnings).toEqual([[expect.stringContaining('files:sweep --yes'), tooMuch]]);

    await storeKnown(1);
    expect(await sweepInDays(3)).toEqual([2]);
    await store(5);
    await sweepInDays(4);
    expect(warnings).toHaveLength(3);
  });

  it('removes nothing in days when the database has lost its rows (N1)', async () => {
    const keys = await storeKnown(30);
    await running.dataSource.manager.deleteAll(StoredFile);
    for (let hours = 1; hours < 100; hours += 5) await sweepAt(hours * HOUR_MS);

    expect(await keysLeft()).toEqual(keys);
  });

  it('removes one of fewer than ten files, and no more', async () => {
    await storeKnown(1);
    await store(1);
    expect(await sweepInDays(0.1, 1.2)).toEqual([0, 1]);
    await store(2);
    expect(await sweepInDays(2, 3.1)).toEqual([0, 0]);
  });

  it('stops at the next step when the service stops', async () => {
    await storeKnown(10);
    await store(1);
    await sweepInDays(0.1);
    const { removed } = await running.app
      .get(OrphanSweep)
      .sweep(new Date(Date.now() + 2 * DAY_MS), AbortSignal.abort());

    expect(removed).toBe(0);
    expect(await remembered()).toHaveLength(1);
  });

  it('is done at once by files:sweep --yes, and only reported without', async () => {
    const known = await storeKnown(2);
    await store(3);
    const sweep = running.app.get(OrphanSweep);
    const later = new Date(Date.now() + 2 * HOUR_MS);

    expect(await sweep.report(later)).toEqual({ files: 5, unknown: 3, removed: 0 });
    const { code, stdout } = await command(running.instance, ['files:sweep'], { env: running.store.env });
    expect([code, JSON.parse(stdout)]).toEqual([0, { files: 5, unknown: 0, removed: 0 }]); // of the last hour
    expect(await sweep.removeAll(later)).toEqual({ files: 5, unknown: 3, removed: 3 });
    expect(await keysLeft()).toEqual(known);
  });

  it('by files:sweep --yes is recorded', async () => {
    await storeKnown(2);
    const args = ['files:sweep', '--yes'];
    const { code } = await command(running.instance, args, { env: running.store.env });
    const entries = await running.dataSource.query(
      "SELECT kind, actor_type FROM instance_audit_entries WHERE kind = 'files_swept'",
    );

    expect([code, entries]).toEqual([0, [{ kind: 'files_swept', actor_type: 'command' }]]);
  });

  it('leaves uploads that have begun within the day', async () => {
    await storeKnown(10);
    const before = (await running.store.paths()).length;
    const { sending, response } = beginForm(running.user.client, Buffer.alloc(20_000_000, 'tulip'));
    await eventually(async () => (await running.store.paths()).length > before);
    await sweepInDays(0.1, 0.9);

    expect((await running.store.paths()).length).toBeGreaterThan(before);
    sending.destroy();
    await expect(response).rejects.toThrow();
    await eventually(async () => (await running.store.paths()).length === before);
  });
});

describe('The sweep of a bucket', () => {
  it('aborts own uploads that began a day ago, and no others', async () => {
    const running = await forThisTest(startWithStore(startS3));
    const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = running.store.env;
    const client = new S3Client({
      ...{ region: 'us-east-1', endpoint: S3_ENDPOINT, forcePathStyle: true },
      credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    });
    const keys = ['0'.repeat(48), 'backup.tar', `other/${'1'.repeat(48)}`];
    for (const Key of keys) await client.send(new CreateMultipartUploadCommand({ Bucket: S3_BUCKET, Key }));
    const uploads = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: S3_BUCKET }));
      return Uploads.map(({ Key }) => Key).sort();
    };
    const sweepInDays = (days: number) =>
      running.app.get(OrphanSweep).sweep(new Date(Date.now() + days * DAY_MS));

    await sweepInDays(3);
    expect(await uploads()).toEqual(keys); // the bucket is not ours yet
    await running.app.get(FileStore).put('2'.repeat(48), Readable.from(['tulip']));
    await sweepInDays(0.9);
    expect(await uploads()).toEqual(keys);
    await sweepInDays(1.1);
    expect(await uploads()).toEqual(keys.slice(1));
    client.destroy();
  });
});

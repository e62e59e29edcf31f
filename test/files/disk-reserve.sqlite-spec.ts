import { join } from 'node:path';
import { DiskFileStore } from '../../src/files/disk-file-store.js';
import type { DiskSpace } from '../../src/files/file-store.js';
import { DiskReserve } from '../../src/files/disk-reserve.js';
import { FileStore } from '../../src/files/file-store.js';
import { Log } from '../../src/platform/logging/log.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { Settings } from '../../src/platform/settings/settings.js';
import type { ClientResponse } from '../support/client.js';
import { created, download, encoded, formOf, linksOf } from '../support/files.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { startDisk } from '../support/stores.js';
import { beginUpload, tryToBegin } from '../support/tus.js';
import { newSignedInUser } from '../support/page-client.js';
import { MIB } from '../../src/platform/settings/units.js';

const GIB = 1024 * MIB;
const FILES = [{ name: 'a.bin', content: 'tulip' }];
const BODIES: [string, () => object][] = [
  ['a form', () => formOf(FILES)],
  ['JSON', () => ({ push: { files: encoded(FILES) } })],
];

/** The reserve of a disk whose free space the test sets, with one value for each check. */
class FakeDisk extends DiskReserve {
  total = 100 * GIB;
  free: number[] = [50 * GIB];
  checks = 0;

  protected override spaceOf(): Promise<DiskSpace> {
    this.checks += 1;
    const free = this.free.length > 1 ? this.free.shift() : this.free[0];
    return Promise.resolve({ total: this.total, free: free ?? 0 });
  }
}

function expectRefused({ status, headers, body }: ClientResponse): void {
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('5');
  expect(body).toEqual({ error: 'Files cannot be stored or read at the moment. Try again later.' });
}

describe('A disk with less free space than its reserve', () => {
  const running = forAllTests(() =>
    startWithStore(startDisk, { LOG_LEVEL: 'error' }, (builder) =>
      builder.overrideProvider(FileStore).useFactory({
        inject: [Settings],
        factory: ({ DATA_DIR, DISK_RESERVE }: Settings) =>
          new DiskFileStore(join(DATA_DIR, 'files'), (disk = new FakeDisk(DISK_RESERVE))),
      }),
    ),
  );
  let disk: FakeDisk;

  beforeEach(() => Object.assign(disk, { total: 100 * GIB, free: [50 * GIB], checks: 0 }));

  const upload = (body: object) => running.user.client.post('/api/v2/pushes', body);

  it.each(BODIES)('rejects %s and stores nothing of it (L16)', async (_encoding, body) => {
    const before = await running.store.paths();
    const pushes = await running.dataSource.manager.count(Push);
    disk.free = [GIB - 1];
    expectRefused(await upload(body()));

    expect(await running.store.paths()).toEqual(before);
    expect(await running.dataSource.manager.count(Push)).toBe(pushes);
    disk.free = [GIB];
    created(await upload(body()));
  });

  it('keeps 5 % of a small disk free', async () => {
    Object.assign(disk, { total: 1000 * MIB, free: [49 * MIB] });
    expectRefused(await upload(formOf(FILES)));
    disk.free = [50 * MIB];
    created(await upload(formOf(FILES)));
  });

  it('aborts the upload of a file that would use the reserve (L16)', async () => {
    const before = await running.store.paths();
    disk.free = [2 * GIB, GIB - 1];
    expectRefused(await upload(formOf([{ name: 'b.bin', content: Buffer.alloc(20 * MIB) }])));

    expect(disk.checks).toBe(2);
    expect(await running.store.paths()).toEqual(before);
  });

  it('refuses uploads in parts with a status of its own, which is not logged as an outage (L16)', async () => {
    const failure = jest.spyOn(running.app.get(Log), 'failure');
    const error = 'There is too little space for this file here. Tell the operator.';
    disk.free = [GIB + 4];
    expect(await tryToBegin(running.user.client, 5)).toMatchObject({ status: 507, body: { error } });
    const begun = await beginUpload(running.user.client, 4);
    disk.free = [GIB - 1];
    expect(await begun.part(0, 'rose')).toMatchObject({ status: 507, body: { error } });

    expect(failure).not.toHaveBeenCalled();
    disk.free = [GIB];
    expect((await begun.part(0, 'rose')).status).toBe(204);
  });

  it('does not stop retrievals, downloads, deletes, sign-ins and text pushes, nor readiness (L16)', async () => {
    const { url_token } = created(await upload(formOf(FILES)));
    disk.free = [0];
    const text = await running.user.client.push({ payload: 'a text needs no room there' });
    const [link = ''] = await linksOf(running.anonymous, url_token);
    const member = await newSignedInUser(running);

    expect((await running.anonymous.retrieve(text.url_token)).status).toBe(200);
    expect(await download(link)).toMatchObject({ status: 200 });
    expect((await running.user.client.delete(`/api/v2/pushes/${url_token}`)).status).toBe(200);
    expect(await member.pageClient.isSignedIn()).toBe(true);
    expect((await running.anonymous.get('/ready')).status).toBe(200);
  });

  it('is reported by an error page in a browser', async () => {
    const { pageClient } = await newSignedInUser(running);
    disk.free = [0];
    const form = new FormData();
    form.set('push[kind]', 'file');
    form.append('push[files][]', new Blob(['minutes']), 'a.txt');
    const { status, body } = await pageClient.post('/', form);

    expect(status).toBe(503);
    expect(body).toContain('Files cannot be stored or read at the moment.');
  });
});

describe('DISK_RESERVE', () => {
  it('applies to the disk of the files', async () => {
    const settings = { LOG_LEVEL: 'error', DISK_RESERVE: '100000000000000' };
    const running = await forThisTest(startWithStore(startDisk, settings));

    for (const [, body] of BODIES) expectRefused(await running.user.client.post('/api/v2/pushes', body()));
  });

  it('may be 0', async () => {
    const running = await forThisTest(startWithStore(startDisk, { DISK_RESERVE: '0' }));

    for (const [, body] of BODIES) created(await running.user.client.post('/api/v2/pushes', body()));
  });
});

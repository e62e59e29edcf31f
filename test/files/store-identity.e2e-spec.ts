import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StoredFile } from '../../src/files/file.entity.js';
import { FilePurgeService } from '../../src/files/file-purge.service.js';
import { FileStore } from '../../src/files/file-store.js';
import { Installation } from '../../src/files/installation.entity.js';
import { OrphanSweep } from '../../src/files/orphan-sweep.js';
import { StoreCheck, StoreIdentity } from '../../src/files/store-identity.js';
import { newId } from '../../src/platform/random/random.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { command } from '../support/command.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import { queryBeside } from '../support/other-connection.js';
import { run } from '../support/run.js';
import type { RunningApp, StartOptions } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import type { TestStore } from '../support/stores.js';
import { startDisk, STORES } from '../support/stores.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';

const FILES = ['a', 'b', 'c'].map((name) => ({ name, content: 'tulip' }));
const NO_ID = /has files and no id of an installation, and the database .+ knows (\d+) of (\d+) files/;
const ANOTHER =
  /^The files in .+ belong to installation [0-9a-f-]{36}, and the database .+ to [0-9a-f-]{36}: /;

describe.each(STORES)('Files on %s', (_name, start) => {
  const instance = forEachTest(makeInstance);
  let store: TestStore;
  let running: RunningApp;

  beforeEach(async () => (store = await start(instance)));
  afterEach(() => store.stop());

  const startOn = async (on: Instance, adjust?: StartOptions['adjust']) =>
    (running = await forThisTest(startApp(store.env, { instance: on, ...(adjust && { adjust }) })));
  const stop = () => running.stop();
  const push = async (app: RunningApp) => pushFiles((await app.newUser()).client, FILES);
  const idOf = async (app: RunningApp) =>
    (await app.dataSource.manager.find(Installation))[0]?.installationId;
  const query = (sql: string) => queryBeside(instance, sql);
  const storedId = async () => {
    const [path] = await store.idPaths();
    return path === undefined ? undefined : (await readFile(path, 'utf8')).trim();
  };

  /** An installation with files that has been stopped, as the version before this one leaves it. */
  async function makeEarlierInstallation(): Promise<string[]> {
    await push(await startOn(instance));
    await stop();
    await removeId();
    await query('DELETE FROM installation');
    return store.paths();
  }

  async function removeId(): Promise<void> {
    for (const path of await store.idPaths()) await rm(path);
  }

  /** Another, empty database that uses the same files. */
  async function withEmptyDatabase(): Promise<Instance> {
    const other = await forThisTest(makeInstance());
    if (start === startDisk) await shareFolder(other);
    return other;
  }

  async function shareFolder(other: Instance): Promise<void> {
    await rm(other.dataDir, { recursive: true });
    await cp(instance.dataDir, other.dataDir, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !path.includes('sqlite3'),
    });
    store = await startDisk(other);
  }

  it('get the id of the database with the first file, and not before', async () => {
    const app = await startOn(instance);
    expect(await storedId()).toBeUndefined();
    const { url_token } = await push(app);

    expect(await storedId()).toBe(await idOf(app));
    await stop();
    const again = await startOn(instance);
    const [url = ''] = await linksOf(again.anonymous, url_token);
    expect(String((await download(url)).bytes)).toBe('tulip');
    expect(await again.dataSource.manager.count(Installation)).toBe(1);
  });

  it('keep an empty database from starting, and are all left (N1)', async () => {
    await push(await startOn(instance));
    await stop();
    const other = await withEmptyDatabase();
    const paths = await store.paths();

    await expect(startOn(other)).rejects.toThrow(ANOTHER);
    await expect(startOn(other)).rejects.toThrow('npm run -s cli -- files:adopt');
    expect(paths).toHaveLength(3);
    expect(await store.paths()).toEqual(paths);
  });

  it('without an id keep an empty database from starting, and are all left (N1)', async () => {
    await makeEarlierInstallation();
    const other = await withEmptyDatabase();
    const paths = await store.paths();

    await expect(startOn(other)).rejects.toThrow(NO_ID);
    expect(await store.paths()).toEqual(paths);
    expect(await storedId()).toBeUndefined();
  });

  it.each([
    ['with the id of another installation', async () => void (await push(await startOn(instance)))],
    ['without an id', async () => void (await makeEarlierInstallation())],
  ])(
    '%s are neither swept, removed nor added to by a process that could not check them at its start (N1)',
    async (_which, prepare) => {
      await prepare();
      await stop();
      const other = await withEmptyDatabase();
      const paths = await store.paths();
      const unchecked = await startOn(other, (builder) => builder.overrideProvider(StoreCheck).useValue({}));
      const { client } = await unchecked.newUser();
      const sweep = (now: Date) => unchecked.app.get(OrphanSweep).sweep(now);
      const startedAt = Date.now();

      for (let minutes = 10; minutes <= 120; minutes += 10)
        await expect(sweep(new Date(startedAt + minutes * MINUTE_MS))).rejects.toThrow('files:adopt');
      for (let days = 1; days <= 3; days++)
        await expect(sweep(new Date(startedAt + days * DAY_MS))).rejects.toThrow('files:adopt');
      expect((await client.post('/api/v2/pushes', { push: { files: [encodedFile] } })).status).toBe(503);
      const [known = ''] = paths.map((path) => /[0-9a-f]{48}/.exec(path)?.[0]);
      await expect(unchecked.app.get(FileStore).remove(known)).rejects.toThrow();
      await expect(
        unchecked.app.get(FileStore).abortIncompleteUploads(new Date(), () => Promise.resolve([])),
      ).rejects.toThrow();
      const ended = { endedOn: new Date(0), linksUntil: null, downloadsAudited: 0 };
      const sealed = { name: Buffer.alloc(0), contentType: Buffer.alloc(0), size: 5 };
      const row = { id: newId(), pushId: newId(), position: 0, storageKey: known, ...sealed, ...ended };
      await unchecked.dataSource.manager.insert(StoredFile, row);
      await expect(unchecked.app.get(FilePurgeService).purge()).rejects.toThrow();
      expect(await unchecked.dataSource.manager.count(StoredFile)).toBe(1);
      expect(await store.paths()).toEqual(paths);
    },
  );

  it('of an earlier version are adopted once by the database that knows them', async () => {
    await makeEarlierInstallation();
    const app = await startOn(instance);

    expect(await storedId()).toBe(await idOf(app));
    expect(
      await query("SELECT kind, actor_type FROM instance_audit_entries WHERE kind = 'files_adopted'"),
    ).toEqual([{ kind: 'files_adopted', actor_type: 'service' }]);
    await stop();
    await removeId();
    await expect(startOn(instance)).rejects.toThrow(NO_ID);
  });

  it('of an earlier version are not adopted by a copy of the database that knows few of them', async () => {
    await makeEarlierInstallation();
    const [{ id }] = await query('SELECT id FROM files ORDER BY id LIMIT 1');
    await query(`DELETE FROM files WHERE id <> '${id}'`);

    await expect(startOn(instance)).rejects.toThrow('knows 1 of 3 files');
    expect(await storedId()).toBeUndefined();
  });

  it('of an earlier version are not adopted by a database whose files are others', async () => {
    await makeEarlierInstallation();
    await query(`UPDATE files SET storage_key = '${'0'.repeat(48)}'`);

    await expect(startOn(instance)).rejects.toThrow('knows 0 of 3 files');
  });

  it('of an earlier version are adopted if the database knows most of them, and the others stay', async () => {
    const paths = await makeEarlierInstallation();
    const [{ id }] = await query('SELECT id FROM files ORDER BY id LIMIT 1');
    await query(`DELETE FROM files WHERE id = '${id}'`);
    await query('DELETE FROM unknown_files');
    const app = await startOn(instance);
    for (const days of [1, 2.1, 3.2]) {
      const { removed } = await app.app.get(OrphanSweep).sweep(new Date(Date.now() + days * DAY_MS));
      expect(removed).toBeLessThanOrEqual(1);
    }

    expect((await store.paths()).length).toBeGreaterThanOrEqual(paths.length - 1);
  });

  it('of an earlier version are adopted by processes that start at the same time', async () => {
    await makeEarlierInstallation();
    const apps = await Promise.all([1, 2, 3].map(() => startApp(store.env, { instance })));
    const ids = await Promise.all(apps.map(idOf));
    for (const app of apps) await app.stop();

    expect(new Set(ids)).toEqual(new Set([await storedId()]));
    expect(await query('SELECT COUNT(*) AS count FROM installation')).toEqual([{ count: 1 }]);
    expect(
      await query("SELECT COUNT(*) AS count FROM instance_audit_entries WHERE kind = 'files_adopted'"),
    ).toEqual([{ count: 1 }]);
  });

  it('get one id from processes that store their first files at the same time', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => startApp(store.env, { instance })));
    const keys = apps.map((_, index) => String(index).repeat(48));
    await Promise.all(
      apps.map((app, index) => app.app.get(FileStore).put(keys[index] ?? '', Readable.from(['tulip']))),
    );
    const ids = await Promise.all(apps.map(idOf));
    for (const app of apps) await app.stop();

    expect(new Set(ids)).toEqual(new Set([await storedId()]));
    expect(await store.paths()).toHaveLength(3);
  });

  it('belong to one of two databases that store their first files at the same time', async () => {
    const other = await forThisTest(makeInstance());
    const shared = { ...other, env: { ...other.env } };
    const first = await startApp(store.env, { instance });
    const second = await startApp(store.env, { instance: shared });
    const identity = first.app.get(StoreIdentity);
    const rival = second.app.get(StoreIdentity);
    Object.assign(rival, { store: identity.store });
    const claims = await Promise.allSettled([identity.claim(), rival.claim()]);
    const ids = await Promise.all([first, second].map(idOf));
    for (const app of [first, second]) await app.stop();

    expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await storedId()).toBe(ids[claims.findIndex(({ status }) => status === 'fulfilled')]);
  });

  it.each([
    ['empty', ''],
    ['long', 'x'.repeat(100_000)],
    ['hostile', '\u001b[31m<b>\n{"a":1}'],
  ])(
    'whose id is damaged, %s, keep every database from starting, which names no part of it',
    async (_how, text) => {
      await push(await startOn(instance));
      await stop();
      const [path = ''] = await store.idPaths();
      await writeFile(path, text);

      await expect(startOn(instance)).rejects.toThrow(
        /^The files in [\w/ -]+ belong to an installation with a damaged id, and the database [\x20-\x7e]+$/,
      );
    },
  );

  it('are adopted by files:adopt, at once where the database knows all of them', async () => {
    await makeEarlierInstallation();
    await query(
      "INSERT INTO installation VALUES ('installation', '01900000-0000-7000-8000-000000000000', TRUE, FALSE)",
    );
    await expect(startOn(instance)).rejects.toThrow(NO_ID);
    const { code, stdout, stderr } = await command(instance, ['files:adopt'], { env: store.env });

    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ belonged_to: 'none', files: 3, known: 3, adopted: true });
    expect(await storedId()).toBe('01900000-0000-7000-8000-000000000000');
    await startOn(instance);
    expect(await query("SELECT actor_type FROM instance_audit_entries WHERE kind = 'files_adopted'")).toEqual(
      [{ actor_type: 'command' }],
    );
  });

  it('of another installation are adopted only with --yes', async () => {
    await push(await startOn(instance));
    await stop();
    const other = await withEmptyDatabase();
    const adopt = (...args: string[]) => command(other, ['files:adopt', ...args], { env: store.env });
    const before = await storedId();
    const refused = await adopt();

    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ...{ belonged_to: 'another', files: 3, known: 0, adopted: false },
    });
    expect(refused.stderr).toBe(
      'sealpush: The files belong to another installation, and this database knows 0 of 3. ' +
        'If it is the right database nevertheless, run files:adopt --yes.\n',
    );
    expect(await storedId()).toBe(before);

    const { code, stdout } = await adopt('--yes');
    expect([code, JSON.parse(stdout).adopted]).toEqual([0, true]);
    const app = await startOn(other);
    expect(await storedId()).toBe(await idOf(app));
    expect(await storedId()).not.toBe(before);
    expect(await store.paths()).toHaveLength(3);
    expect(JSON.parse((await adopt()).stdout)).toMatchObject({ belonged_to: 'this', adopted: true });
  });

  it('without an id that the database does not know are adopted only with --yes', async () => {
    await makeEarlierInstallation();
    const other = await withEmptyDatabase();
    const refused = await command(other, ['files:adopt'], { env: store.env });

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('does not know 3 of 3 files');
    expect(await storedId()).toBeUndefined();
    expect(await command(other, ['files:adopt', '--yes'], { env: store.env })).toMatchObject({ code: 0 });
    await startOn(other);
  });

  it('of another installation are refused by commands that need them, and by no other', async () => {
    await push(await startOn(instance));
    await stop();
    const other = await withEmptyDatabase();
    const inOther = (...args: string[]) => command(other, args, { env: store.env });
    const refusal = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^sealpush: The files in .+files:adopt.+\n$/),
    };

    expect(await inOther('files:sweep')).toEqual(refusal);
    expect(await inOther('files:sweep', '--yes')).toEqual(refusal);
    expect(await inOther('user:create', 'ada@example.org')).toMatchObject({ code: 0 });
    expect(await store.paths()).toHaveLength(3);
  });

  it('stay those of a copy of the database from before the first file', async () => {
    await push(await startOn(instance));
    await stop();
    await query('UPDATE installation SET has_marked_store = FALSE');
    await query('DELETE FROM files');
    const app = await startOn(instance);

    expect(await storedId()).toBe(await idOf(app));
  });

  it('that were restored after the database are those of it', async () => {
    const app = await startOn(instance);
    const { url_token } = await push(app);
    await stop();
    const kept = [...(await store.paths()), ...(await store.idPaths())];
    const bytes = await Promise.all(kept.map((path) => readFile(path)));
    for (const path of kept) await rm(path);
    const meanwhile = await startOn(instance);
    await meanwhile.app.get(OrphanSweep).sweep(new Date(Date.now() + DAY_MS));
    await meanwhile.app.get(FilePurgeService).purge(new Date(Date.now() + HOUR_MS));
    await stop();
    for (const [index, path] of kept.entries()) await writeFile(path, bytes[index] ?? '');
    const again = await startOn(instance);
    const [url = ''] = await linksOf(again.anonymous, url_token);

    expect(String((await download(url)).bytes)).toBe('tulip');
    expect(await again.dataSource.manager.count(StoredFile)).toBe(3);
  });
});

const encodedFile = { filename: 'a', content: Buffer.from('tulip').toString('base64') };

describe('A server process with the files of another installation', () => {
  it.each([
    ['alone', {}],
    ['with several workers', { WORKERS: '2', PORT: '0' }],
    ['as a gateway', { ROLE: 'gateway' }],
  ])('%s exits with one sentence when DATABASE_URL is lost (N1, K4)', async (_how, env) => {
    const instance = await forThisTest(makeInstance());
    const running = await startApp({}, { instance });
    await pushFiles((await running.newUser()).client, FILES);
    await running.stop();
    await rm(join(instance.dataDir, 'sealpush.sqlite3'), { force: true });
    const store = await startDisk(instance);
    const paths = await store.paths();
    const { code, stdout, stderr } = await run('main.js', { env: { DATA_DIR: instance.dataDir } }, { env });

    expect(stderr).toMatch(
      /^sealpush: The files in \S+ belong to installation \S+, and the database sealpush\.sqlite3 in DATA_DIR \(DATABASE_URL is not set\) to \S+: correct the settings, or [^\n]+files:adopt[^\n]+\n$/,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(paths).toHaveLength(3);
    expect(await store.paths()).toEqual(paths);
  });
});

describe('The id on a disk', () => {
  it('is readable only by its owner, and is no draft', async () => {
    const running = await forThisTest(startApp());
    await pushFiles((await running.newUser()).client, FILES);
    const path = join(running.instance.dataDir, 'files', 'sealpush-installation-id');

    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is compared before the first upload if the folder cannot be read at the start', async () => {
    const instance = await forThisTest(makeInstance());
    await mkdir(instance.dataDir, { recursive: true });
    await writeFile(join(instance.dataDir, 'files'), 'a file where a folder belongs');
    const running = await forThisTest(startApp({ LOG_LEVEL: 'error' }, { instance }));
    const { client } = await running.newUser();

    expect((await client.post('/api/v2/pushes', { push: { files: [encodedFile] } })).status).toBe(503);
    await rm(join(instance.dataDir, 'files'));
    expect((await client.post('/api/v2/pushes', { push: { files: [encodedFile] } })).status).toBe(201);
  });
});

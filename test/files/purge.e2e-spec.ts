import { v7 as uuidv7 } from 'uuid';
import { FilePurgeService } from '../../src/files/file-purge.service.js';
import { FileStore } from '../../src/files/file-store.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/settings/units.js';

const FILES = [
  { name: 'a.txt', content: 'hello' },
  { name: 'b.txt', content: 'world' },
];

describe.each(STORES)('The bytes of files on %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start));

  afterEach(() => jest.restoreAllMocks());

  const purge = (now: Date) => running.app.get(FilePurgeService).purge(now);
  const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

  /** Runs `act` on a push with files, and returns how many of its files are left. */
  async function left(act: (urlToken: string) => Promise<unknown>, fields = {}): Promise<number> {
    const before = await running.store.paths();
    const { url_token } = await pushFiles(running.user.client, FILES, fields);
    const own = (await running.store.paths()).filter((path) => !before.includes(path));
    expect(own).toHaveLength(FILES.length);

    await act(url_token);
    const after = await running.store.paths();
    return own.filter((path) => after.includes(path)).length;
  }

  it('are kept while the push is active', async () => {
    expect(await left(() => purge(later(60)))).toBe(2);
  });

  it('are kept until the last link has expired, and then removed', async () => {
    const lastView = { expire_after_views: '1' };
    const viewAndPurge = (minutes: number) => async (urlToken: string) => {
      await linksOf(running.anonymous, urlToken);
      await purge(later(minutes));
    };

    expect(await left(viewAndPurge(9.9), lastView)).toBe(2);
    expect(await left(viewAndPurge(10.1), lastView)).toBe(0);
  });

  it('are kept for the later of two links', async () => {
    const retrievals = running.app.get(RetrievalsService);
    const visitor = { ip: '::1', userAgent: '', referrer: '', baseUrl: 'http://x' };
    const viewTwice = (first: number, second: number) => async (urlToken: string) => {
      await retrievals.retrieve(urlToken, {}, visitor, later(first));
      await retrievals.retrieve(urlToken, {}, visitor, later(second));
      await purge(later(14));
    };

    expect(await left(viewTwice(0, 5), { expire_after_views: '2' })).toBe(2);
    expect(await left(viewTwice(5, 0), { expire_after_views: '2' })).toBe(2); // another replica's clock
  });

  it('are removed when the push has ended by its time limit without any link', async () => {
    const age = async () => {
      await running.app.get(ExpiryService).expireOverdue(later(8 * 24 * 60));
      await purge(later(8 * 24 * 60));
    };

    expect(await left(age)).toBe(0);
  });

  it('are removed immediately by a delete, whatever links there are (F4)', async () => {
    const viewAndDelete = async (urlToken: string) => {
      await linksOf(running.anonymous, urlToken);
      await running.user.client.delete(`/api/v2/pushes/${urlToken}`);
    };

    expect(await left(viewAndDelete)).toBe(0);
    expect(await left(viewAndDelete, { expire_after_views: '1' })).toBe(0);
  });

  it('are removed immediately by a delete after a limit has ended the push', async () => {
    const endAndDelete = async (urlToken: string) => {
      await linksOf(running.anonymous, urlToken);
      await running.anonymous.delete(`/api/v2/pushes/${urlToken}`);
    };

    expect(await left(endAndDelete, { expire_after_views: '1', deletable_by_viewer: 'true' })).toBe(0);
  });

  it('are removed together with their rows', async () => {
    await left((urlToken) => running.user.client.delete(`/api/v2/pushes/${urlToken}`));

    expect(await running.dataSource.manager.countBy(StoredFile, {})).toBe(
      (await running.store.paths()).length,
    );
  });

  it('that the store cannot remove are removed by a later purge, and do not block others', async () => {
    const store = running.app.get(FileStore);
    const remove = store.remove.bind(store);
    jest.spyOn(store, 'remove').mockImplementationOnce(() => Promise.reject(new Error('unreachable')));

    expect(await left((urlToken) => running.user.client.delete(`/api/v2/pushes/${urlToken}`))).toBe(1);

    const rows = await running.dataSource.manager.findBy(StoredFile, {});
    jest.spyOn(store, 'remove').mockImplementation(async (key) => {
      if (key === rows[0]?.storageKey) throw new Error('permanently unreachable');
      await remove(key);
    });
    const inAYear = new Date(Date.now() + 365 * DAY_MS);
    await running.app.get(ExpiryService).expireOverdue(inAYear);
    await expect(purge(inAYear)).rejects.toThrow('permanently unreachable');
    expect(await running.store.paths()).toHaveLength(1);

    jest.restoreAllMocks();
    await purge(inAYear);
    expect(await running.store.paths()).toEqual([]);
    expect(await running.dataSource.manager.countBy(StoredFile, {})).toBe(0);
  });

  it('are each tried once in a purge, however many ended at the same time', async () => {
    const endings = [later(-2), later(-1), later(1)].map((endedOn) => ({ endedOn, linksUntil: null }));
    const file = { pushId: 'gone', position: 0, size: 1, downloadsAudited: 0 };
    const sealed = { name: Buffer.of(1), contentType: Buffer.of(1) };
    const rows = Array.from({ length: 180 }, (_, i) => {
      const [id, storageKey] = [uuidv7(), `many-${i}`];
      return { ...file, ...sealed, id, storageKey, ...endings[i % 3] };
    });
    await running.dataSource.manager.insert(StoredFile, rows);
    const store = running.app.get(FileStore);
    const tried: string[] = [];
    jest.spyOn(store, 'remove').mockImplementation((key) => {
      if (key.startsWith('many-')) tried.push(key);
      return Promise.reject(new Error('unreachable'));
    });
    await expect(purge(new Date())).rejects.toThrow('unreachable');

    expect(new Set(tried).size).toBe(120);
    expect(tried).toHaveLength(120);
    jest.restoreAllMocks();
    await running.dataSource.manager.delete(StoredFile, { pushId: 'gone' });
  });

  it('are removed even after the push has been removed', async () => {
    const forget = async (urlToken: string) => {
      await linksOf(running.anonymous, urlToken);
      await running.dataSource.manager.update('Push', { userId: running.user.id }, { userId: null });
      await running.app.get(ExpiryService).purge(new Date(Date.now() + 2 * DAY_MS));
      expect((await running.anonymous.retrieve(urlToken)).status).toBe(404);
      await purge(later(11));
    };

    expect(await left(forget, { expire_after_views: '1' })).toBe(0);
  });

  it('can still be downloaded with a link to another push', async () => {
    const { url_token } = await pushFiles(running.user.client, FILES);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    await left((urlToken) => running.user.client.delete(`/api/v2/pushes/${urlToken}`));
    await purge(later(9));

    expect(String((await download(url)).bytes)).toBe('hello');
  });
});

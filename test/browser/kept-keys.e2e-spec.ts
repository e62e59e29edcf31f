import { buildSync } from 'esbuild';
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { BrowserContext, Page } from 'playwright-core';
import type { KeptKey } from '../../src/client/requests/kept-keys.js';
import { answerFragmentOf } from '../../packages/client/src/end-to-end/answer-link.js';
import { launch } from './support/browser.js';

const SCRIPT = buildSync({
  entryPoints: ['src/client/requests/kept-keys.ts'],
  bundle: true,
  format: 'iife',
  globalName: 'kept',
  write: false,
}).outputFiles[0]?.text;

/** Stands for an invalid date, which is not passed to a page. */
const NO_DATE = 'no date';

async function newKey(identity: string, createdAt: string): Promise<KeptKey> {
  const recipient = await identityToRecipient(identity);
  return { fragment: await answerFragmentOf(recipient), identity, recipient, createdAt: new Date(createdAt) };
}

describe('The keys that a browser keeps', () => {
  let context: BrowserContext;
  let page: Page;
  let keys: [KeptKey, KeptKey];

  beforeAll(async () => {
    keys = [
      await newKey(await generateHybridIdentity(), '2026-11-26T16:45:30.123Z'),
      await newKey(await generateX25519Identity(), '2026-11-27T00:00:00.000Z'),
    ];
  });
  beforeEach(async () => {
    context = await (await launch()).newContext();
    await context.route('https://keys.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    page = await openPage();
  });
  afterEach(() => context.close());

  /** A page of the site, in which this script runs first. */
  async function openPage(before = ''): Promise<Page> {
    const opened = await context.newPage();
    await opened.addInitScript(`${before}\n${SCRIPT}\nglobalThis.kept = kept;`);
    await opened.goto('https://keys.test/');
    return opened;
  }

  const call = (name: string, argument?: unknown, where = page): Promise<unknown> =>
    where.evaluate(
      ([name, argument]) =>
        (globalThis as unknown as { kept: Record<string, (argument: unknown) => unknown> }).kept[
          name as string
        ]?.(argument),
      [name, argument],
    );

  /** Writes records past what checks them. */
  const write = (records: Record<string, unknown>[], version = 1) =>
    page.evaluate(
      ([records, version, noDate]) =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open('sealpush', version);
          opening.onupgradeneeded = () => opening.result.createObjectStore('keys', { keyPath: 'fragment' });
          opening.onerror = reject;
          opening.onsuccess = () => {
            const transaction = opening.result.transaction('keys', 'readwrite');
            for (const record of records)
              transaction
                .objectStore('keys')
                .put(record.createdAt === noDate ? { ...record, createdAt: new Date(NaN) } : record);
            transaction.onabort = reject;
            transaction.oncomplete = () => {
              opening.result.close();
              resolve(undefined);
            };
          };
        }),
      [records, version, NO_DATE] as const,
    );

  it('are there on other pages, until they are forgotten', async () => {
    expect(await call('keptKeys')).toEqual([]);
    for (const key of keys) expect(await call('keepKey', { ...key, more: 'unknown' })).toBe(true);

    const other = await openPage();
    const [first, second] = keys;
    expect(await call('keptKey', first.fragment, other)).toEqual(first);
    expect(await call('keptKeys', undefined, other)).toEqual(expect.arrayContaining(keys));
    expect(await call('forgetKey', first.fragment)).toBe(true);
    expect(await call('keptKey', first.fragment, other)).toBeUndefined();
    expect(await call('keptKeys', undefined, other)).toEqual([second]);
  });

  it('are only what is one', async () => {
    const [key] = keys;
    const wrong = {
      identity: [undefined, null, 1, '', 'AGE-SECRET-KEY-1', key.identity.toLowerCase(), [key.identity]],
      recipient: [undefined, null, {}, '', 'age1', key.recipient.toUpperCase()],
      createdAt: [undefined, null, '2026-11-26T16:45:30Z', 0, NO_DATE, {}],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        await write([{ ...key, [field]: value }]);

        expect([field, value, await call('keptKey', key.fragment)]).toEqual([field, value, undefined]);
        expect(await call('keptKeys')).toEqual([]);
      }
    }
    await write([
      { ...key },
      { ...key, fragment: 'short' },
      { ...key, fragment: 7 },
      { fragment: `2${key.fragment.slice(1)}` },
    ]);
    expect(await call('keptKey', 'short')).toBeUndefined();
    expect(await call('keptKeys')).toEqual([key]);
  });

  it.each([
    ['has no database', 'delete globalThis.indexedDB;'],
    ['forbids it', `IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };`],
    [
      'cannot write',
      `IDBObjectStore.prototype.put = IDBObjectStore.prototype.delete = function () { this.transaction.abort(); return {}; };`,
    ],
  ])('are none where the browser %s', async (_name, before) => {
    const limited = await openPage(before);

    expect(await call('keepKey', keys[0], limited)).toBe(false);
    expect(await call('keptKeys', undefined, limited)).toEqual([]);
    expect(await call('keptKey', keys[0].fragment, limited)).toBeUndefined();
    expect(await call('forgetKey', keys[0].fragment, limited)).toBe(false);
    expect(await call('keptKeys')).toEqual([]);
  });

  it('are none where a later version has changed the database', async () => {
    await write([{ ...keys[0] }], 2);

    expect(await call('keepKey', keys[0])).toBe(false);
    expect(await call('keptKeys')).toEqual([]);
    expect(await call('keptKey', keys[0].fragment)).toBeUndefined();
    expect(await call('forgetKey', keys[0].fragment)).toBe(false);
  });

  it('are asked to be spared when space is short, once for each', async () => {
    const counting = await openPage(
      'globalThis.asked = 0; StorageManager.prototype.persist = () => { asked++; return Promise.reject(new Error()); };',
    );
    const errors: Error[] = [];
    counting.on('pageerror', (error) => errors.push(error));

    await call('keptKeys', undefined, counting);
    expect(await call('keepKey', keys[0], counting)).toBe(true);
    await call('forgetKey', keys[0].fragment, counting);

    expect(await counting.evaluate('asked')).toBe(1);
    expect(errors).toEqual([]);
    const without = await openPage('delete Navigator.prototype.storage;');
    expect(await call('keepKey', keys[0], without)).toBe(true);
  });
});

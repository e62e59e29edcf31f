import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OrphanSweep } from '../../src/files/orphan-sweep.js';
import { beginForm } from '../support/begin-form.js';
import { eventually } from '../support/eventually.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';

/** Large enough that a first part of it is sent to S3. */
const MUCH = Buffer.alloc(20_000_000, 'tulip');

describe.each(STORES)('An upload to %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start));

  beforeAll(() => {
    running.app.getHttpServer().timeout = 1000;
  });

  const isEmpty = async () => (await running.store.paths()).length === 0;

  it('that the client aborts leaves no files (F4)', async () => {
    const { sending, response } = beginForm(running.user.client, MUCH);
    await eventually(async () => !(await isEmpty()));
    sending.destroy();

    await expect(response).rejects.toThrow();
    await eventually(isEmpty);
  });

  it('that is aborted many times leaves no files, and does no harm', async () => {
    for (let i = 0; i < 10; i++) {
      const { sending } = beginForm(running.user.client, MUCH.subarray(0, i * 100_000));
      await new Promise((resolve) => sending.socket?.once('drain', resolve) ?? setImmediate(resolve));
      sending.destroy();
    }
    await eventually(isEmpty);
    const { url_token } = await pushFiles(running.user.client, [{ name: 'a', content: 'hello' }]);
    await running.user.client.delete(`/api/v2/pushes/${url_token}`);

    expect(await isEmpty()).toBe(true);
  });

  it('that stalls times out and leaves no files (F2)', async () => {
    const { response } = beginForm(running.user.client, MUCH);

    await expect(response).rejects.toThrow(/socket hang up|ECONNRESET/);
    await eventually(isEmpty);
  });

  it('that is slow but never pauses for long is accepted', async () => {
    const { sending, response } = beginForm(running.user.client, 'a');
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      sending.write('b');
    }
    sending.end('c\r\n--b--\r\n');
    const { status, body } = await response;
    const [url = ''] = await linksOf(running.anonymous, JSON.parse(body).url_token);

    expect(status).toBe(201);
    expect(String((await download(url)).bytes)).toBe('abbbbbc');
    await running.user.client.delete(`/api/v2/pushes/${JSON.parse(body).url_token}`);
  });
});

describe('A body without files', () => {
  it('that stalls times out as well', async () => {
    const running = await forThisTest(startApp());
    running.app.getHttpServer().timeout = 1000;
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const { response } = beginForm(running.anonymous, 'push', { 'Content-Type': type });

      await expect(response).rejects.toThrow(/socket hang up|ECONNRESET/);
    }
  });
});

describe('Stored bytes without a row', () => {
  it('are removed even if others cannot be', async () => {
    const running = await forThisTest(startApp());
    const { client } = await running.newUser();
    await pushFiles(client, [{ name: 'known', content: 'hello' }]);
    const pathOf = (key: string) => join(running.instance.dataDir, 'files', key.slice(-2), key);
    const [first, orphan, last] = ['0', '7', 'f'].map((digit) => pathOf(digit.repeat(48))) as [
      string,
      string,
      string,
    ];
    for (const path of [first, last]) await mkdir(path, { recursive: true }); // in the place of a file
    await mkdir(dirname(orphan), { recursive: true });
    await writeFile(orphan, 'tulip');

    const sweep = running.app.get(OrphanSweep).removeAll(new Date(Date.now() + 2 * HOUR_MS));

    await expect(sweep).rejects.toThrow();
    expect(existsSync(orphan)).toBe(false);
  });
});

describe.each(STORES)('A server that is killed during an upload to %s', (_store, start) => {
  it('leaves bytes that are removed once they are old, and no others are (F4)', async () => {
    const instance = await forThisTest(makeInstance());
    const store = await forThisTest(start(instance));
    const server = await spawnServer(instance, { ...store.env, FILES_REQUIRE_AUTHENTICATION: 'false' });
    const known = await pushFiles(server.anonymous, [{ name: 'known', content: 'hello' }]);
    const [knownPath] = await store.paths();
    beginForm(server.anonymous, MUCH);
    await eventually(async () => (await store.paths()).length > 1);
    await server.stop('SIGKILL');

    const running = await forThisTest(startApp(store.env, { instance }));
    const sweep = (hours: number) =>
      running.app.get(OrphanSweep).sweep(new Date(Date.now() + hours * HOUR_MS));
    for (const hours of [0.9, 1.1, 2, 23]) await sweep(hours);
    expect((await store.paths()).length).toBeGreaterThan(1);

    await sweep(26);
    const [url = ''] = await linksOf(running.anonymous, known.url_token);
    expect(await store.paths()).toEqual([knownPath]);
    expect(String((await download(url)).bytes)).toBe('hello');
  });
});

import { once } from 'node:events';
import { get } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Log } from '../../src/platform/logging/log.js';
import { FileStore } from '../../src/files/file-store.js';
import { archiveLink } from '../support/archives.js';
import { eventually } from '../support/eventually.js';
import { linksOf, pushFiles } from '../support/files.js';
import { makeInstance } from '../support/instance.js';
import { residentBytes } from '../support/resident-bytes.js';
import { startApp } from '../support/start-app.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { stalledReader } from '../support/stalled-reader.js';
import type { StartStore } from '../support/stores.js';
import { startDisk, startS3 } from '../support/stores.js';
import { forThisTest, forAllTests } from '../support/for-tests.js';
import { StreamedResponses } from '../../src/platform/limits/streamed-responses.js';
import { DownloadsService } from '../../src/files/downloads.service.js';
import { MemoryBudget } from '../../src/platform/settings/memory-budget.js';

const CONTENT = Buffer.alloc(45_000_000, 'tulip');
const READERS = 6;
/** A third of what is sent to them: buffers that have been sent are garbage for a while. */
const MAX_GROWTH = (READERS * CONTENT.length) / 3;

type LinkTo = (server: SpawnedServer, urlToken: string) => Promise<string | undefined>;

/** Each kind of link and each store once: what is sent does not depend on both. */
const DOWNLOADS: [what: string, start: StartStore, linkTo: LinkTo][] = [
  ['a file on disk', startDisk, async ({ anonymous }, urlToken) => (await linksOf(anonymous, urlToken))[0]],
  ['all files on S3', startS3, ({ url }, urlToken) => archiveLink(url, urlToken)],
];

describe('Clients that stop reading a download', () => {
  it.each(DOWNLOADS)('do not fill the memory of the server: %s', async (_what, start, linkTo) => {
    const instance = await forThisTest(makeInstance());
    const store = await forThisTest(start(instance));
    const server = await forThisTest(
      spawnServer(instance, { ...store.env, FILES_REQUIRE_AUTHENTICATION: 'false' }),
    );
    const files = [
      { name: 'large', content: CONTENT },
      { name: 'small', content: 'tulip' },
    ];
    const { url_token } = await pushFiles(server.anonymous, files);
    const url = (await linkTo(server, url_token)) ?? '';
    const before = residentBytes(server.process.pid);
    const readers = await Promise.all(Array.from({ length: READERS }, () => stalledReader(url)));
    await setTimeout(1500); // long enough for the server to read the whole file

    expect(residentBytes(server.process.pid) - before).toBeLessThan(MAX_GROWTH);
    for (const reader of readers) reader.destroy();
  });
});

describe('A client that disconnects before the first byte', () => {
  it('is not logged as a failure, and leaves no file open', async () => {
    const running = await startApp({ FILES_REQUIRE_AUTHENTICATION: 'false', LOG_LEVEL: 'error' });
    const { url_token } = await pushFiles(running.anonymous, [{ name: 'a', content: 'tulip' }]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    const failure = jest.spyOn(running.app.get(Log), 'failure');
    const store = running.app.get(FileStore);
    const read = store.read.bind(store);
    const opened: Readable[] = [];
    const reader = get(url, { agent: false }).on('error', () => undefined);
    running.app.getHttpServer().once('request', (_request: unknown, response: ServerResponse) => {
      jest.spyOn(store, 'read').mockImplementation(async (...asked) => {
        reader.destroy();
        if (!response.destroyed) await once(response, 'close');
        const bytes = await read(...asked);
        opened.push(bytes);
        return bytes;
      });
    });

    await eventually(() => opened[0]?.closed ?? false);
    await running.stop();
    expect(failure).not.toHaveBeenCalled();
  });
});

const MAX_STREAMED_TO_NETWORK = new MemoryBudget(1).streamedResponses / 2;
const FILES = ['a', 'b'].map((name) => ({ name, content: 'tulip' }));

describe('Downloads at the same time', () => {
  const running = forAllTests(() =>
    startApp({ TRUSTED_PROXIES: '127.0.0.1', FILES_REQUIRE_AUTHENTICATION: 'false' }),
  );

  afterEach(() => jest.restoreAllMocks());

  /** The first of them wait for `release`. */
  function holdDownloads(count: number) {
    const downloads = running.app.get(DownloadsService);
    const open = downloads.open.bind(downloads);
    const { promise: released, resolve } = Promise.withResolvers<unknown>();
    let begun = 0;
    jest.spyOn(downloads, 'open').mockImplementation(async (...asked) => {
      begun += 1;
      if (begun <= count) await released;
      return open(...asked);
    });
    return { begun: () => begun, release: resolve };
  }

  it('are limited for one client network, archives and audit logs with them, and not for others (M5)', async () => {
    const { client } = await running.newUser();
    const { url_token } = await pushFiles(running.anonymous, FILES);
    const [file = ''] = await linksOf(running.anonymous, url_token);
    const archive = await archiveLink(running.url, url_token);
    const from = async (address: string, url: string) => {
      const headers = { 'X-Forwarded-For': address, ...client.headers };
      const response = await fetch(url, { headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    const responses = running.app.get(StreamedResponses);
    const begin = responses.begin.bind(responses);
    // on a slow machine they would give way as stalled
    jest.spyOn(responses, 'begin').mockImplementation((request, response) => {
      begin(request, response, 0);
    });
    const held = holdDownloads(MAX_STREAMED_TO_NETWORK);
    const all = Array.from({ length: MAX_STREAMED_TO_NETWORK }, (_, i) =>
      from('192.0.2.1', i % 2 === 0 ? file : archive),
    );
    await eventually(() => held.begun() === MAX_STREAMED_TO_NETWORK);

    for (const url of [file, archive, `${running.url}/api/v2/audit`]) {
      const refused = await from('192.0.2.1', url);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(refused.headers.get('content-disposition')).toBeNull();
      expect((await from('192.0.2.2', url)).status).toBe(200);
    }
    expect((await from('192.0.2.1', `${running.url}/api/v2/version`)).status).toBe(200);

    held.release(undefined);
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await from('192.0.2.1', file)).body).toBe('tulip');
  });
});

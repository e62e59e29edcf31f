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
import { forThisTest } from '../support/for-tests.js';

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

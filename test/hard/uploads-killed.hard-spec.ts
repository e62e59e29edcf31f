import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { eventually } from '../support/eventually.js';
import { download, linksOf } from '../support/files.js';
import { forThisTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { STORES } from '../support/stores.js';
import { UPLOADS } from '../support/tus.js';
import { amount } from './support/amount.js';
import { randomFrom, SEED } from './support/random.js';

const BREAKS = amount({ full: 20, short: 4 });
const SIZE = amount({ full: 256, short: 64 }) * 1024 * 1024;
const PATIENCE = Array<number>(100).fill(500);

describe.each(STORES)('An upload in parts to %s', (_store, start) => {
  const random = randomFrom(SEED);

  it('arrives as it was sent, however often its server, its client or its store is ended', async () => {
    const instance = await forThisTest(makeInstance());
    const store = await forThisTest(start(instance));
    const { token } = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout);
    const env = {
      ...store.env,
      MAX_FILE_SIZE: String(SIZE),
      MAX_PUSH_SIZE: String(SIZE),
      PORT: String(await freePort()),
    };
    const content = randomBytes(SIZE);
    let server = await spawnServer(instance, env);
    const headers = { Authorization: `Bearer ${token}` };
    const state = { isDone: false, parts: 0 };
    const ended = Promise.withResolvers<undefined>();
    const sending = new Upload(content, {
      endpoint: `${server.url}${UPLOADS}`,
      headers,
      chunkSize: 5_000_000,
      metadata: { filename: 'a.bin' },
      retryDelays: PATIENCE,
      onChunkComplete: () => {
        state.parts += 1;
      },
      onError: ended.reject,
      onSuccess: () => {
        state.isDone = true;
        ended.resolve(undefined);
      },
    });
    const breaks = [
      async () => {
        await server.stop('SIGKILL');
        server = await spawnServer(instance, env);
      },
      async () => {
        await sending.abort();
        sending.start();
      },
      ...(store.restart ? [() => store.restart?.()] : []),
    ];
    sending.start();
    ended.promise.catch(() => undefined);
    let broken = 0;
    for (; broken < BREAKS && !state.isDone; broken++) {
      const before = state.parts;
      await eventually(() => state.parts > before || state.isDone);
      await setTimeout(random() * 50);
      await breaks[broken % breaks.length]?.();
    }
    await ended.promise;
    const { url_token } = await server.anonymous.with(headers).push({ uploads: [sending.url] });
    const [link = ''] = await linksOf(server.anonymous, url_token);
    const { bytes } = await download(link);
    await server.stop();

    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(content).digest('hex'),
    );
    expect(broken).toBeGreaterThanOrEqual(breaks.length);
  });
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Upload } from 'tus-js-client';
import { GIB, MIB } from '../../src/platform/settings/units.js';
import { linksOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstanceOnDisk } from '../support/instance.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { STORES } from '../support/stores.js';
import { UPLOADS } from '../support/tus.js';
import { amount } from './support/amount.js';
import { logFigures } from './support/log-figures.js';

const SIZE = Number(process.env.UPLOAD_GIB ?? amount({ full: 20, short: 2 })) * GIB;
const SMALL = 64 * MIB;
/** More than for a small file: what garbage collection leaves at some time or other. */
const TOLERANCE = 100 * MIB;

describe.each(STORES)('A large upload to %s', (name, start) => {
  const instance = forAllTests(makeInstanceOnDisk);
  const store = forAllTests(() => start(instance));

  it(
    'goes up and down in parts, in the memory that a small one needs',
    async () => {
      const { token } = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout);
      const server = await spawnServer(instance, {
        ...store.env,
        MAX_FILE_SIZE: String(SIZE),
        MAX_PUSH_SIZE: String(SIZE),
        DISK_RESERVE: '0',
      });
      const headers = { Authorization: `Bearer ${token}` };
      /** Sends a file of this size and receives it. Returns both digests. */
      const sendAndReceive = async (size: number) => {
        const sent = createHash('sha256');
        const url = await new Promise<string | null>((resolve, reject) => {
          const upload = new Upload(Readable.from(contentOf(size, sent)), {
            endpoint: `${server.url}${UPLOADS}`,
            uploadSize: size,
            chunkSize: 16 * MIB,
            headers,
            metadata: { filename: 'backup.iso' },
            onError: reject,
            onSuccess: () => {
              resolve(upload.url);
            },
          });
          upload.start();
        });
        const { url_token } = await server.anonymous.with(headers).push({ uploads: [url] });
        const [link = ''] = await linksOf(server.anonymous, url_token);
        const received = createHash('sha256');
        for await (const bytes of (await fetch(link)).body ?? []) received.update(bytes);
        return [received.digest('hex'), sent.digest('hex')];
      };

      const [small, smallSent] = await sendAndReceive(SMALL);
      const smallPeak = peakBytes(server.process.pid);
      const [large, largeSent] = await sendAndReceive(SIZE);
      const peak = peakBytes(server.process.pid);
      await server.stop();

      logFigures({
        [`${SIZE / GIB} GiB to ${name} and back`]: `${Math.round(peak / MIB)} MiB, a small file ${Math.round(smallPeak / MIB)} MiB`,
      });
      expect([small, large]).toEqual([smallSent, largeSent]);
      expect(peak).toBeLessThan(smallPeak + TOLERANCE);
    },
    // 5 MiB a second is as slow as two cores with much else to do
    (SIZE / (5 * MIB)) * 1000 + 60_000,
  );
});

/** Zeros, but for the number of each MiB. */
function* contentOf(size: number, digest: ReturnType<typeof createHash>): Generator<Buffer> {
  for (let start = 0; start < size; start += MIB) {
    const block = Buffer.alloc(MIB);
    block.writeUInt32BE(start / MIB);
    digest.update(block);
    yield block;
  }
}

/** The most resident memory that a process has had. */
function peakBytes(pid: number | undefined): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

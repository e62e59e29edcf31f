import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { GIB, MIB } from '../../src/platform/settings/units.js';
import type { Result } from '../client/support/sealpush.js';
import { printedBy, sealpushOf } from '../client/support/sealpush.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstanceOnDisk } from '../support/instance.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { logFigures } from './support/log-figures.js';

const SIZE = Number(process.env.CLIENT_GIB ?? amount({ full: 1, short: 0.25 })) * GIB;
/** Some parts, so that the process has grown to what it needs for them. */
const SMALL = 96 * MIB;
/** More than for a small file: what garbage collection leaves at some time or other. */
const TOLERANCE = 100 * MIB;

/** Has a process write its status when it exits, in which its peak is. */
const REPORT = `
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.STATUS_FILE, readFileSync('/proc/self/status')));
`;

/** Not in memory, which may have the temporary files. */
async function makeFolderOnDisk() {
  const path = await mkdtemp('/var/tmp/sealpush-test-');
  return { path, destroy: () => rm(path, { recursive: true }) };
}

describe('A large file', () => {
  const instance = forAllTests(makeInstanceOnDisk);
  const folder = forAllTests(makeFolderOnDisk);
  const server = forAllTests(() =>
    spawnServer(instance, { MAX_FILE_SIZE: String(SIZE), MAX_PUSH_SIZE: String(SIZE), DISK_RESERVE: '0' }),
  );
  let env: Record<string, string>;
  const sealpush = sealpushOf(
    () => folder.path,
    () => env,
  );
  const inFolder = (name: string) => join(folder.path, name);

  beforeAll(async () => {
    const { token } = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout);
    await writeFile(inFolder('report.mjs'), REPORT);
    env = {
      SEALPUSH_URL: server.url,
      SEALPUSH_TOKEN: token,
      NODE_OPTIONS: `--import=${pathToFileURL(inFolder('report.mjs')).href}`,
      STATUS_FILE: inFolder('status'),
    };
  });

  /** What the command has printed, and the most resident memory that it has had. */
  async function measured(running: Promise<Result>): Promise<{ printed: string; peak: number }> {
    const printed = printedBy(await running);
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(inFolder('status'), 'utf8')) ?? [];
    return { printed, peak: Number(kibibytes) * 1024 };
  }

  /** Sends a file of this size, and saves it again. */
  async function sendAndOpen(size: number): Promise<{ push: number; open: number }> {
    const name = `${size}.bin`;
    await pipeline(Readable.from(contentOf(size)), createWriteStream(inFolder(name)));
    const pushed = await measured(sealpush(['push', '--file', inFolder(name)]));
    const opened = await measured(sealpush(['open', pushed.printed, '-o', folder.path]));

    expect(await digestOf(inFolder(`${size} (2).bin`))).toBe(await digestOf(inFolder(name)));
    await Promise.all([rm(inFolder(name)), rm(inFolder(`${size} (2).bin`))]);
    return { push: pushed.peak, open: opened.peak };
  }

  it(
    'is sent and saved by the command in the memory that a small one needs',
    async () => {
      const small = await sendAndOpen(SMALL);
      const large = await sendAndOpen(SIZE);

      logFigures(
        Object.fromEntries(
          (['push', 'open'] as const).map((command) => [
            `sealpush ${command} of ${SIZE / GIB} GiB`,
            `${Math.round(large[command] / MIB)} MiB, of ${SMALL / MIB} MiB ${Math.round(small[command] / MIB)} MiB`,
          ]),
        ),
      );
      expect(small.push).toBeGreaterThan(0);
      expect(large.push).toBeLessThan(small.push + TOLERANCE);
      expect(large.open).toBeLessThan(small.open + TOLERANCE);
    },
    // 2 MiB a second, up and down, is as slow as two cores with much else to do
    (SIZE / (2 * MIB)) * 1000 + 120_000,
  );
});

/** Zeros, but for the number of each MiB. */
function* contentOf(size: number): Generator<Buffer> {
  for (let start = 0; start < size; start += MIB) {
    const block = Buffer.alloc(MIB);
    block.writeUInt32BE(start / MIB);
    yield block;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, closeSync, ftruncateSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../../../test/browser/support/browser.js';
import { startSite } from '../../../test/browser/support/site.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { GIB, MIB } from '../../platform/settings/units.js';

/** Of the file; the aim is 5120, which takes minutes. */
const SIZE = Number(process.env.LARGE_FILE_MIB ?? 192) * MIB;
const MAX_RENDERER_BYTES = 400_000_000;
const MARK = 1000;
/** At 256 KiB a second, which is as slow as two cores with much else to do. */
const PATIENCE_MS = SIZE / 256;

/** What the reader chooses is a file of the origin's own file system. */
const WITH_PICKER = `window.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`;

describe('A large file that browsers encrypt and decrypt', () => {
  const site = startSite({
    settings: { MAX_FILE_SIZE: String(6 * GIB), MAX_PUSH_SIZE: String(6 * GIB), DISK_RESERVE: '0' },
  });
  const folder = forAllTests(() => {
    const path = mkdtempSync(join(tmpdir(), 'large-'));
    return {
      path,
      stop: () => {
        rmSync(path, { recursive: true });
        return Promise.resolve();
      },
    };
  });

  /** Empty but for marks here and there. */
  function largeFile(): { path: string; marks: Map<number, Buffer> } {
    const path = join(folder.path, 'backup.iso');
    const positions = [0, 65_536 - 1, SIZE / 2, SIZE - MARK];
    const marks = new Map(positions.map((position) => [position, randomBytes(MARK)]));
    const file = openSync(path, 'w');
    ftruncateSync(file, SIZE);
    for (const [position, bytes] of marks) writeSync(file, bytes, 0, MARK, position);
    closeSync(file);
    return { path, marks };
  }

  /** Runs work, and returns the greatest number of bytes that one of the processes that show pages had meanwhile. */
  async function peakDuring(work: () => Promise<void>): Promise<number> {
    const session = await (await launch()).newBrowserCDPSession();
    let peak = 0;
    const ending = new AbortController();
    const measuring = (async () => {
      while (!ending.signal.aborted) {
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        const renderers = processInfo.filter(({ type }) => type === 'renderer');
        peak = Math.max(peak, ...renderers.map(({ id }) => residentBytesOf(id)));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      await work();
    } finally {
      ending.abort();
      await measuring;
      await session.detach();
    }
    return peak;
  }

  it(
    'takes no more of their memory than a small one, when it is sent and when it is saved',
    async () => {
      const { person } = site;
      const { path, marks } = largeFile();
      person.page.setDefaultTimeout(PATIENCE_MS);
      await person.page.addInitScript(WITH_PICKER);
      await site.signIn();
      await person.visit('/');
      await person.page.getByRole('radio', { name: 'Files' }).check();
      await person.page.locator('#files').setInputFiles(path);
      const sending = await peakDuring(() => person.createLink().then(() => undefined));
      await person.showSecret(await person.page.locator('#link').inputValue());
      const saving = await peakDuring(async () => {
        await person.page.getByRole('link', { name: 'Download backup.iso' }).click();
        await person.page.getByText('backup.iso was saved.').waitFor();
      });

      const saved = await person.page.evaluate<[number, number[][]]>(`(async () => {
        const file = await (await (await navigator.storage.getDirectory()).getFileHandle('backup.iso')).getFile();
        const marks = ${JSON.stringify([...marks.keys()])}.map(async (position) =>
          [...new Uint8Array(await file.slice(position, position + ${MARK}).arrayBuffer())]);
        return [file.size, await Promise.all(marks)];
      })()`);
      expect(saved).toEqual([SIZE, [...marks.values()].map((bytes) => [...bytes])]);
      process.stderr.write(`Memory of the page: ${sending / MIB} MiB sending, ${saving / MIB} MiB saving\n`);
      expect(sending).toBeLessThan(MAX_RENDERER_BYTES);
      expect(saving).toBeLessThan(MAX_RENDERER_BYTES);
    },
    3 * PATIENCE_MS,
  );
});

/** Zero once it has ended. */
function residentBytesOf(pid: number): number {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

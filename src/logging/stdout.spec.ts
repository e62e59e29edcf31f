import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually.js';
import { Stdout } from './stdout.js';

const LINE = `${'x'.repeat(999)}\n`;
const MAX_WAITING_BYTES = 10_000;

describe('Stdout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-stdout-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('writes lines in order, and what waits when the process exits', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const fd = openSync(path, 'a');
    const stdout = new Stdout(fail, fd);
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`);
    for (const line of lines) stdout.write(line);
    stdout.flush();
    closeSync(fd);

    expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
  });

  it('loses lines while a pipe is full and its memory too, and then says how many', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    let lost = 0;
    const stdout = new Stdout((lines) => (lost += lines), fd, MAX_WAITING_BYTES);
    for (let i = 0; i < 1000; i++) {
      stdout.write(LINE);
      await new Promise(setImmediate);
    }
    const buffer = Buffer.alloc(100_000);
    let received = 0;
    await eventually(() => {
      if (lost === 0) received += readAvailable(fd, buffer);
      return lost > 0;
    });
    received += readAvailable(fd, buffer);
    closeSync(fd);

    expect(received + lost * LINE.length).toBe(1000 * LINE.length);
    expect(received).toBeGreaterThan(MAX_WAITING_BYTES);
  });

  it('ends soon where nothing can be written, such as on a full disk', () => {
    const fd = openSync('/dev/full', 'w');
    const stdout = new Stdout(fail, fd);
    stdout.write(LINE);
    stdout.flush();
    closeSync(fd);
  });
});

function fail(): void {
  throw new Error('no line should be lost');
}

function readAvailable(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0; // EAGAIN: the pipe is empty
  }
}

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
import { eventually } from '../../../test/support/eventually.js';
import { Stdout } from './stdout.js';

const LINE = `${'x'.repeat(999)}\n`;
const LINES = 1000;
const MAX_WAITING_BYTES = 10_000;
const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

describe('Stdout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-stdout-'));
  const opened: number[] = [];
  let lost = 0;

  const open = (path: string, flags: number | string) => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  const makePipe = () => {
    const path = join(folder, `pipe ${opened.length}`);
    execFileSync('mkfifo', [path]);
    return path;
  };
  const openStdout = (fd: number) => new Stdout((lines) => (lost += lines), fd, MAX_WAITING_BYTES);
  /** The number of bytes that can be read from a pipe now. */
  const readAvailable = (fd: number) => readInto(fd, Buffer.alloc(100_000));
  const readInto = (fd: number, buffer: Buffer) => {
    try {
      return readSync(fd, buffer);
    } catch {
      return 0; // EAGAIN: it is empty
    }
  };
  /** Waits until each line has been received or reported as lost. */
  const receiveAll = async (fd: number, lines = LINES) => {
    let received = 0;
    await eventually(() => {
      received += readAvailable(fd);
      return received + lost * LINE.length >= lines * LINE.length;
    });
    expect(received + lost * LINE.length).toBe(lines * LINE.length);
  };

  beforeEach(() => (lost = 0));
  afterAll(() => {
    for (const fd of opened) closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  it('writes lines in order', async () => {
    const path = join(folder, 'in order');
    const lines = Array.from({ length: LINES }, (_, i) => `line ${i}\n`);
    const stdout = new Stdout(fail, open(path, 'a'));
    for (const line of lines) stdout.write(line);

    await eventually(() => readFileSync(path, 'utf8') === lines.join(''));
  });

  it('keeps lines whole when several processes write to one pipe that is read slowly', async () => {
    const path = makePipe();
    const reader = open(path, O_RDONLY | O_NONBLOCK);
    const [amount, texts] = [250, ['a', 'b'].map((letter) => letter.repeat(699))];
    for (const text of texts) {
      const stdout = new Stdout(fail, open(path, O_WRONLY | O_NONBLOCK), amount * LINE.length);
      for (let i = 0; i < amount; i++) stdout.write(`${text}\n`);
    }

    let received = '';
    await eventually(() => {
      const buffer = Buffer.alloc(5000);
      received += buffer.toString('latin1', 0, readInto(reader, buffer));
      return received.length === texts.length * amount * 700;
    });
    expect(new Set(received.split('\n'))).toEqual(new Set([...texts, '']));
  });

  it('writes what waits when the process exits', async () => {
    const path = join(folder, 'at exit');
    writeFileSync(path, '');
    const stdout = new Stdout(fail, open(path, 'a'));
    for (let i = 0; i < LINES; i++) stdout.write(LINE);
    stdout.flush();

    expect(readFileSync(path).length).toBeGreaterThan((LINES - 10) * LINE.length); // without what is being written
    await eventually(() => readFileSync(path, 'utf8') === LINE.repeat(LINES));
  });

  it('loses lines while a pipe is full and its memory too, and then says how many', async () => {
    const fd = open(makePipe(), O_RDWR | O_NONBLOCK);
    const stdout = openStdout(fd);
    for (let i = 0; i < LINES; i++) {
      stdout.write(LINE);
      await new Promise(setImmediate);
    }

    await receiveAll(fd);
    expect(lost).toBeGreaterThan(0);
    // no more than that if the first write was still waiting for its thread when the last line came
    expect((LINES - lost) * LINE.length).toBeGreaterThanOrEqual(MAX_WAITING_BYTES);
  });

  it('goes on after errors with a later line, also when its memory is full', async () => {
    const path = makePipe();
    const reader = open(path, O_RDONLY | O_NONBLOCK);
    const writer = open(path, O_WRONLY | O_NONBLOCK);
    opened.splice(opened.indexOf(reader), 1);
    closeSync(reader); // each write fails
    const stdout = openStdout(writer);
    for (let i = 0; i < LINES - 1; i++) {
      stdout.write(LINE);
      await new Promise(setImmediate);
    }
    expect(lost).toBe(0); // it cannot be reported yet
    const nextReader = open(path, O_RDONLY | O_NONBLOCK);
    let written = LINES - 1;
    await eventually(() => {
      stdout.write(LINE); // the first fails as well, if a write without a reader is still in progress
      written += 1;
      return lost > 0;
    });

    await receiveAll(nextReader, written);
    expect(lost).toBeGreaterThan(LINES / 2);
  });

  it('ends soon where nothing can be written, such as on a full disk', () => {
    const stdout = new Stdout(fail, open('/dev/full', 'w'));
    for (let i = 0; i < 10; i++) stdout.write(LINE);
    stdout.flush();
  });
});

function fail(): void {
  throw new Error('no line should be lost');
}

import type { DestinationStream } from 'pino';
import { SonicBoom } from 'sonic-boom';
import type { LogFormat } from '../settings/settings.js';
import { textLine } from './text-line.js';
import { MIB } from '../settings/units.js';

/** One for all logs of the process. */
let stdout: Stdout | undefined;

/**
 * Where the log is written: stdout, by default as text for people if that is a terminal, otherwise as JSON.
 * @param reportLost is called with the number of lines that were lost because they could not be written
 */
export function destinationOf(
  format: LogFormat | undefined,
  reportLost: (lines: number) => void,
): DestinationStream {
  // reading it makes a pipe non-blocking: a write to a full one would block a thread, and the exit of the process
  const { isTTY } = process.stdout;
  const lines = (stdout ??= open(reportLost));
  if ((format ?? (isTTY ? 'text' : 'json')) === 'json') return lines;

  const hasColors = isTTY && process.stdout.hasColors(); // false if NO_COLOR is set
  return {
    write: (line) => {
      lines.write(textLine(line, hasColors));
    },
  };
}

function open(reportLost: (lines: number) => void): Stdout {
  const opened = new Stdout(reportLost);
  process.once('exit', () => {
    opened.flush();
  });
  return opened;
}

const STDOUT = 1;
const MAX_WAITING_BYTES = 4 * MIB;
/** What several processes may write to a pipe at the same time without mixing their lines (POSIX, `write`), on Linux. */
const PIPE_BUF = 4096;
/** How long the process may take at its exit to write what waits, if a pipe is full. */
const MAX_FLUSH_MS = 500;

/**
 * Writes lines without blocking. While they cannot be written, because a disk is full or nothing reads the pipe, they
 * wait in memory, so that the service goes on. Those that do not fit into it are lost, and counted.
 */
export class Stdout implements DestinationStream {
  private readonly stream: SonicBoom;
  private lost = 0;
  private retriesEnd = Infinity;

  /** @param reportLost is called with the number of lost lines once all that waited is written */
  constructor(
    private readonly reportLost: (lines: number) => void,
    fd = STDOUT,
    maxWaitingBytes = MAX_WAITING_BYTES,
  ) {
    this.stream = new SonicBoom({
      fd,
      sync: false,
      contentMode: 'buffer', // lines logged during a write are written together; as text, each would copy the previous ones
      maxWrite: PIPE_BUF,
      maxLength: maxWaitingBytes,
      retryEAGAIN: () => performance.now() < this.retriesEnd,
    });
    this.stream.on('error', () => undefined); // the next line tries again
    this.stream.on('drop', () => {
      this.lost += 1;
      this.stream.flush(); // starts a write, unless one is in progress
    });
    this.stream.on('drain', () => {
      this.reportLostLines();
    });
  }

  write(line: string): void {
    this.stream.write(Buffer.from(line) as never); // its types know text only
  }

  /** Writes what waits, if that is possible; for a process that exits. */
  flush(): void {
    this.retriesEnd = performance.now() + MAX_FLUSH_MS;
    try {
      this.stream.flushSync();
      this.reportLostLines();
      this.stream.flushSync();
    } catch {
      // lost with the process
    }
  }

  private reportLostLines(): void {
    const { lost } = this;
    this.lost = 0;
    if (lost > 0) this.reportLost(lost);
  }
}

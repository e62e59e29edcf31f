import type { DestinationStream } from 'pino';
import { SonicBoom } from 'sonic-boom';
import { MIB } from '../settings/units.js';

const STDOUT = 1;
const MAX_WAITING_BYTES = 4 * MIB;
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
      maxWrite: 4096, // lines logged during a write are written together; each copies the previous ones in its chunk
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
    this.stream.write(line);
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

import type { DestinationStream } from 'pino';
import { SonicBoom } from 'sonic-boom';
import { MIB } from '../settings/units.js';

const STDOUT = 1;
const MAX_WAITING_BYTES = 4 * MIB;
/** Of a pipe that is full, each after a tenth of a second. */
const MAX_RETRIES_AT_EXIT = 5;

/**
 * Writes lines without blocking. While they cannot be written, because a disk is full or nothing reads the pipe, they
 * wait in memory, so that the service goes on. Those that do not fit into it are lost, and counted.
 */
export class Stdout implements DestinationStream {
  private readonly stream: SonicBoom;
  private lost = 0;
  private retriesLeft = Infinity;

  /** @param reportLost is called with the number of lost lines as soon as lines can be written again */
  constructor(reportLost: (lines: number) => void, fd = STDOUT, maxWaitingBytes = MAX_WAITING_BYTES) {
    this.stream = new SonicBoom({
      fd,
      sync: false,
      maxWrite: 4096, // lines logged during a write are written together; each copies the previous ones in its chunk
      maxLength: maxWaitingBytes,
      retryEAGAIN: () => this.retriesLeft-- > 0,
    });
    this.stream.on('error', () => undefined); // the next line tries again
    this.stream.on('drop', () => (this.lost += 1));
    this.stream.on('drain', () => {
      const { lost } = this;
      this.lost = 0;
      if (lost > 0) reportLost(lost);
    });
  }

  write(line: string): void {
    this.stream.write(line);
  }

  /** Writes what waits, if that is possible; for a process that exits. */
  flush(): void {
    this.retriesLeft = MAX_RETRIES_AT_EXIT;
    try {
      this.stream.flushSync();
    } catch {
      // lost with the process
    }
  }
}

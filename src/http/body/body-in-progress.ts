import type { HttpException } from '@nestjs/common';
import type { ClientNetwork } from './client-network.js';

const GRACE_MS = 60_000;
const LEAST_BYTES_PER_MS = (16 * 1024) / 1000;

/** The request body of one client that has not arrived in full, or whose bytes are still kept. */
export class BodyInProgress {
  /** Bytes that have arrived. */
  received = 0;
  /** Bytes of memory that it takes. */
  held = 0;
  /** Whether it was there already when all were looked at last. */
  isOld = false;
  private isStreamed = false;

  constructor(
    readonly network: ClientNetwork,
    private readonly startedAt: number,
    /** As the request declares it, if it does. */
    private readonly length: number | undefined,
    /** Ends its reading. */
    readonly refuse: (refusal: HttpException) => void,
  ) {}

  /** Says that it has files, which go on to where they are stored: it may take as long as any request may. */
  streamFiles(): void {
    this.isStreamed = true;
  }

  /** Whether it should have arrived in full by now: after a minute, and a second more for each 16 KiB. */
  isTooSlow(now: number): boolean {
    const length = this.length ?? this.received;
    return !this.isStreamed && now - this.startedAt > GRACE_MS + length / LEAST_BYTES_PER_MS;
  }
}

import type { HttpException } from '@nestjs/common';

const GRACE_MS = 60_000;
const MIN_BYTES_PER_MS = (16 * 1024) / 1000;

/** A request body that has not arrived completely, or whose bytes are still in memory. */
export class BodyInProgress {
  /** Bytes that have arrived. */
  received = 0;
  /** Bytes of memory that the body takes. */
  reservedBytes = 0;
  /** Whether it existed at the previous check of all bodies. */
  isOld = false;
  private isStreamed = false;

  constructor(
    readonly network: NetworkBodies,
    private readonly startedAt: number,
    /** The Content-Length, if the request has one. */
    private readonly length: number | undefined,
    /** Stops reading the body. */
    readonly refuse: (error: HttpException) => void,
  ) {}

  /** Call when the body has files, which are streamed to storage: it may then take as long as any request may. */
  streamFiles(): void {
    this.isStreamed = true;
  }

  /** Whether it should have arrived completely by now: after a minute, plus a second for each 16 KiB. */
  isTooSlow(now: number): boolean {
    const length = this.length ?? this.received;
    return !this.isStreamed && now - this.startedAt > GRACE_MS + length / MIN_BYTES_PER_MS;
  }
}

/** An IPv4 address or IPv6 /64, with the bodies that it is sending. */
export class NetworkBodies {
  /** Bytes of memory that its bodies take. */
  reservedBytes = 0;
  /** Its bodies that have not arrived completely, in the order in which they began. */
  readonly unfinished = new Set<BodyInProgress>();

  constructor(readonly address: string) {}

  get isIdle(): boolean {
    return this.reservedBytes === 0 && this.unfinished.size === 0;
  }
}

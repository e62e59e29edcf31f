import type { BodyInProgress } from './body-in-progress.js';

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

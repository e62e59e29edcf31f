import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';

/** What a hash is needed for. */
export type HashingPurpose = 'creation' | 'retrieval' | 'sign-in' | 'sign-up';

/**
 * Hashing by argon2id, a few at a time so that other requests are not starved. Each purpose has a share and a queue of
 * its own: a flood of sign-ups makes no retrieval wait. Few sign-ins of one network may wait, because nobody needs
 * more. Of retrievals many may, because whoever has the passphrase may ask many times at once.
 */
@Injectable()
export class HashingQueues {
  private readonly queues: Record<HashingPurpose, FairQueue> = {
    creation: new FairQueue({ concurrency: 1, waitingOfOne: 50, waitingOfAll: 100 }),
    retrieval: new FairQueue({ concurrency: 2, waitingOfOne: 100, waitingOfAll: 250 }),
    'sign-in': new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 250 }),
    'sign-up': new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 250 }),
  };

  /**
   * @param address of the client; empty for the operator
   * @throws TooManyRequests when too many hashes for a network of the client wait
   * @throws ServiceUnavailableException when too many wait in all
   */
  run<T>(purpose: HashingPurpose, address: string, hash: () => Promise<T>): Promise<T> {
    return this.queues[purpose].run(address, hash);
  }
}

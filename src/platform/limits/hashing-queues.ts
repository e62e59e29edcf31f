import { Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { MemoryBudget } from '../settings/memory-budget.js';
import type { QueuedClient } from './fair-queue.js';
import { FairQueue } from './fair-queue.js';

/** OWASP's Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
export const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What a hash is computed for. */
type HashingPurpose = 'creation' | 'retrieval' | 'sign-in' | 'sign-up';

/**
 * Limits how many argon2id hashes run at a time, so that other requests are not starved. Each purpose has its own
 * concurrency and queue: a flood of sign-ups does not delay retrievals. Few sign-ins of one network may wait, because
 * users need no more. Many retrievals may, because a client with the passphrase may send many concurrent requests.
 */
@Injectable()
export class HashingQueues {
  private readonly queues: Record<HashingPurpose, FairQueue> = {
    creation: new FairQueue({ concurrency: 1, waitingOfOne: 50, waitingOfAll: 100 }),
    retrieval: new FairQueue({ concurrency: 2, waitingOfOne: 100, waitingOfAll: 250 }),
    'sign-in': new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 250 }),
    'sign-up': new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 250 }),
  };

  /** Of all purposes, in the order in which their turns come. */
  private readonly all: PQueue;

  constructor({ hashes }: MemoryBudget) {
    this.all = new PQueue({ concurrency: hashes });
  }

  /** How many hashes wait, by purpose. */
  get lengths(): [HashingPurpose, number][] {
    return Object.entries(this.queues).map(([purpose, { length }]) => [purpose as HashingPurpose, length]);
  }

  /**
   * @throws TooManyRequests when too many hashes for a network of the client are waiting
   * @throws ServiceUnavailableException when too many hashes are waiting in total
   */
  run<T>(purpose: HashingPurpose, client: QueuedClient, hash: () => Promise<T>): Promise<T> {
    return this.queues[purpose].run(client, () => this.all.add(hash));
  }
}

import { ServiceUnavailableException } from '@nestjs/common';
import PQueue from 'p-queue';
import { clientNetworks } from '../http/client-address.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import type { ForClient } from './round-robin.js';
import { RoundRobin } from './round-robin.js';

const RETRY_AFTER_SECONDS = 2;

/** How many tasks run at a time, and how many may wait: for one client network, times its factor, and for all. */
export interface QueueLimits {
  concurrency: number;
  waitingOfOne: number;
  waitingOfAll: number;
}

/** Runs heavy tasks a few at a time. Client networks take turns, so that none waits for all tasks of another. */
export class FairQueue {
  private readonly queue: PQueue<RoundRobin, ForClient>;
  private readonly waiting = new Map<string, number>();

  constructor(private readonly limits: QueueLimits) {
    this.queue = new PQueue({ concurrency: limits.concurrency, queueClass: RoundRobin });
  }

  /**
   * @param ip of the client that the task is for
   * @throws TooManyRequests when too many tasks of one of its networks are waiting
   * @throws ServiceUnavailableException when too many tasks are waiting in total
   */
  async run<T>(ip: string, task: () => Promise<T>): Promise<T> {
    const networks = clientNetworks(ip);
    if (this.queue.pending < this.limits.concurrency) return this.queue.add(task);

    for (const { network, factor } of networks) {
      if ((this.waiting.get(network) ?? 0) >= this.limits.waitingOfOne * factor)
        throw new TooManyRequests(
          'attempts',
          'Too many of your requests wait. Try again in a few seconds.',
          RETRY_AFTER_SECONDS,
        );
    }
    if (this.queue.size >= this.limits.waitingOfAll)
      throw new ServiceUnavailableException('The server is busy. Try again in a few seconds.');

    const names = networks.map(({ network }) => network);
    this.count(names, 1);
    const start = () => {
      this.count(names, -1);
      return task();
    };
    return this.queue.add(start, { client: names.at(-1) });
  }

  private count(networks: string[], change: number): void {
    for (const network of networks) {
      const waiting = (this.waiting.get(network) ?? 0) + change;
      if (waiting > 0) this.waiting.set(network, waiting);
      else this.waiting.delete(network);
    }
  }
}

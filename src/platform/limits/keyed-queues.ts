import { setImmediate } from 'node:timers/promises';
import { ServiceUnavailableException } from '@nestjs/common';
import PQueue from 'p-queue';
import { Problem } from '../errors/problem.js';
import type { TooManyRequests } from '../http/errors/too-many-requests.js';
import type { QueueLimits } from './fair-queue.js';

/** The same for keys instead of networks. */
interface KeyedQueueLimits extends QueueLimits {
  concurrencyOfOne: number;
  /** The error when too many tasks of one key are waiting. */
  tooMany: () => TooManyRequests;
}

/** Limits how many tasks run at a time, for each key and in total. */
export class KeyedQueues {
  private readonly queues = new Map<string, PQueue>();
  private readonly all: PQueue;
  private waiting = 0;

  constructor(private readonly limits: KeyedQueueLimits) {
    this.all = new PQueue({ concurrency: limits.concurrency });
  }

  /**
   * Runs a task in its turn.
   * @param signal drops it while it waits; a task that has begun must watch the signal itself
   * @throws TooManyRequests when too many tasks of the key are waiting
   * @throws ServiceUnavailableException when too many tasks are waiting in total
   */
  async run<T>(
    key: string,
    signal: AbortSignal | undefined,
    task: (hasWaited: boolean) => Promise<T>,
  ): Promise<T> {
    const { limits } = this;
    const { size = 0, pending = 0 } = this.queues.get(key) ?? {};
    const waits = pending >= limits.concurrencyOfOne || this.all.pending >= limits.concurrency;
    if (size >= limits.waitingOfOne) throw limits.tooMany();
    if (waits && this.waiting >= limits.waitingOfAll)
      throw new ServiceUnavailableException(new Problem('busy'));
    return this.proceed(key, signal, () => task(waits));
  }

  /** Runs a later step of a task that `run` has admitted: it takes its turn again, and is never refused. */
  async proceed<T>(key: string, signal: AbortSignal | undefined, step: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: this.limits.concurrencyOfOne });
    this.queues.set(key, queue);
    const dropped = new AbortController(); // not the signal itself, with which p-queue would free the place of a running task
    const drop = () => {
      dropped.abort(signal?.reason);
    };
    if (signal?.aborted) drop();
    else signal?.addEventListener('abort', drop, { once: true });
    const begin = async () => {
      this.waiting -= 1;
      signal?.removeEventListener('abort', drop);
      await setImmediate(); // p-queue itself starts the next task without a pause
      return step();
    };
    this.waiting += 1;
    try {
      const options = { signal: dropped.signal };
      return await queue.add(() => this.all.add(begin, options), options);
    } finally {
      if (dropped.signal.aborted) this.waiting -= 1;
      if (queue.size + queue.pending === 0) this.queues.delete(key);
    }
  }
}

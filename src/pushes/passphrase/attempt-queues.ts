import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import PQueue from 'p-queue';
import { clientNetwork } from '../../platform/http/visitor.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { MAX_PER_MINUTE } from '../../platform/throttling/client-attempt.js';
import { Problem } from '../../platform/errors/problem.js';

const MAX_WAITING = 300;
const MAX_WAITING_IN_TOTAL = 1000;

/**
 * Limits the attempts in progress for one push from one client network to the number that may be wrong in a minute.
 * More would have to poll the database for the outcome of these; here they wait in memory.
 */
@Injectable()
export class AttemptQueues {
  private readonly queues = new Map<string, PQueue>();
  private waiting = 0;

  /**
   * Runs an attempt, from recording it to its outcome.
   * @throws TooManyRequests when too many attempts of the same client are waiting
   * @throws ServiceUnavailableException when too many attempts of all clients are waiting
   */
  async run<T>(pushId: string, ip: string, attempt: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const key = `${pushId} ${clientNetwork(ip)}`;
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: MAX_PER_MINUTE });
    const waits = queue.pending >= MAX_PER_MINUTE;
    if (waits) this.assertNotFull(queue);
    this.queues.set(key, queue);
    this.waiting += Number(waits);
    try {
      return await queue.add(() => {
        this.waiting -= Number(waits);
        return attempt(waits);
      });
    } finally {
      if (queue.size + queue.pending === 0) this.queues.delete(key);
    }
  }

  private assertNotFull({ size }: PQueue): void {
    if (size >= MAX_WAITING)
      throw new TooManyRequests('attempts', new Problem('too_many_waiting_passphrases'), 1);
    if (this.waiting >= MAX_WAITING_IN_TOTAL) throw new ServiceUnavailableException(new Problem('busy'));
  }
}

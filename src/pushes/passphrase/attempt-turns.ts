import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import PQueue from 'p-queue';
import { clientNetwork } from '../../http/client-address.js';
import { TooManyRequests } from '../../http/too-many-requests.js';
import { MOST_IN_A_MINUTE } from './passphrase-throttle.js';

const MOST_WAITING = 300;
const MOST_WAITING_IN_ALL = 1000;

/**
 * Has as many attempts at one push from one client network in progress as may be wrong. More would have to wait in the
 * database for the outcome of these; here they wait without asking it again and again.
 */
@Injectable()
export class AttemptTurns {
  private readonly queues = new Map<string, PQueue>();
  private waiting = 0;

  /**
   * Runs an attempt from its booking to its outcome.
   * @throws TooManyRequests when too many of the same client wait
   * @throws ServiceUnavailableException when too many of all clients wait
   */
  async take<T>(pushId: string, ip: string, attempt: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const key = `${pushId} ${clientNetwork(ip)}`;
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: MOST_IN_A_MINUTE });
    const waits = queue.pending >= MOST_IN_A_MINUTE;
    if (waits) this.assertRoom(queue);
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

  private assertRoom({ size }: PQueue): void {
    if (size >= MOST_WAITING)
      throw new TooManyRequests('attempts', 'Too many passphrases wait to be checked. Try again later.', 1);
    if (this.waiting >= MOST_WAITING_IN_ALL)
      throw new ServiceUnavailableException('The server is busy. Try again in a few seconds.');
  }
}

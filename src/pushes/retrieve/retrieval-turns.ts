import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { requestContext } from '../../platform/logging/log.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';
import { KIB, SECOND_MS } from '../../platform/settings/units.js';
import type { Push } from '../push/push.entity.js';

/** Bytes of a sealed payload; any number of shorter ones may be in memory. */
const LONG = 64 * KIB;
const MAX_WAITING = { waitingOfOne: 200, waitingOfAll: 1000 };
/** After this time what the client has not read counts only as an unread response. */
const MAX_SENDING_MS = SECOND_MS;

/**
 * Limits how many long secrets are in memory at a time where it is short: each is there sealed, unsealed, as JSON or
 * page, and in what is sent. Short ones do not wait for them, except to be read.
 */
@Injectable()
export class RetrievalTurns {
  private readonly queues?: { reads: FairQueue; long: FairQueue };

  constructor({ retrievals: concurrency }: MemoryBudget) {
    if (concurrency === Infinity) return;
    const limits = { concurrency, ...MAX_WAITING };
    this.queues = { reads: new FairQueue(limits), long: new FairQueue(limits) };
  }

  /**
   * Reads a push and retrieves it. If it is long, this is done again in its turn, which it keeps until it is sent.
   * @throws TooManyRequests or ServiceUnavailableException when too many wait
   */
  async run<Result>(
    ip: string,
    find: () => Promise<Push>,
    retrieve: (push: Push, mayHaveWaited: boolean) => Promise<Result>,
  ): Promise<Result> {
    if (!this.queues) return retrieve(await find(), false);
    const { reads, long } = this.queues;
    const found = await reads.run({ ip }, async () => {
      const push = await find();
      return isLong(push) ? undefined : push;
    });
    if (found) return retrieve(found, true);
    return new Promise((resolve, reject) => {
      const turn = async () => {
        resolve(await retrieve(await find(), true));
        await sending();
      };
      long.run({ ip }, turn).catch(reject);
    });
  }
}

function isLong({ payload }: Push): boolean {
  return payload !== null && payload.length > LONG;
}

/** Until the response of the request that is being handled is sent. */
async function sending(): Promise<void> {
  const response = requestContext.getStore()?.request.deref()?.res;
  if (!response || response.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([
    once(response, 'close', { signal }),
    setTimeout(MAX_SENDING_MS, undefined, { signal }),
  ]).finally(() => {
    over.abort();
  });
}

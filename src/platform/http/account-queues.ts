import { setImmediate } from 'node:timers/promises';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, ServiceUnavailableException, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import PQueue from 'p-queue';
import type { Observable } from 'rxjs';
import { lastValueFrom, of } from 'rxjs';
import { clientAddress, clientNetwork } from './visitor.js';
import { closeSignal } from './close-signal.js';
import { TooManyRequests } from './errors/too-many-requests.js';
import { Problem } from '../errors/problem.js';

/** Tasks of one account. */
const MAX_RUNNING = 2;
export const MAX_WAITING = 50;
/** Tasks of all accounts. */
const MAX_RUNNING_IN_TOTAL = 4;
const MAX_WAITING_IN_TOTAL = 1000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits how much long work is done at a time, for each account and in total. Such work yields to the event loop, but
 * a hundred tasks that yield to each other would still delay every other request by a hundred of their steps.
 */
@Injectable()
export class AccountQueues {
  private readonly queues = new Map<string, PQueue>();
  private readonly all = new PQueue({ concurrency: MAX_RUNNING_IN_TOTAL });
  private waiting = 0;

  /**
   * Runs a task in its turn.
   * @param signal drops it while it waits; a task that has begun must watch the signal itself
   * @throws TooManyRequests when too many tasks of the account are waiting
   * @throws ServiceUnavailableException when too many tasks are waiting in total
   */
  async run<T>(account: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if ((this.queues.get(account)?.size ?? 0) >= MAX_WAITING)
      throw new TooManyRequests('requests', new Problem('too_many_waiting_requests'), RETRY_AFTER_SECONDS);
    if (this.waiting >= MAX_WAITING_IN_TOTAL) throw new ServiceUnavailableException(new Problem('busy'));
    return this.proceed(account, signal, task);
  }

  /** Runs a later step of a task that `run` has admitted: it takes its turn again, and is never refused. */
  async proceed<T>(account: string, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    const queue = this.queueOf(account);
    const dropped = new AbortController(); // not the signal itself, with which p-queue would free the place of a running task
    const drop = () => {
      dropped.abort(signal.reason);
    };
    if (signal.aborted) drop();
    else signal.addEventListener('abort', drop, { once: true });
    const begin = async () => {
      this.waiting -= 1;
      signal.removeEventListener('abort', drop);
      await setImmediate(); // p-queue itself starts the next task without a pause
      return step();
    };
    this.waiting += 1;
    try {
      const options = { signal: dropped.signal };
      return await queue.add(() => this.all.add(begin, options), options);
    } finally {
      if (dropped.signal.aborted) this.waiting -= 1;
      if (queue.size + queue.pending === 0) this.queues.delete(account);
    }
  }

  private queueOf(account: string): PQueue {
    const known = this.queues.get(account);
    if (known) return known;
    const queue = new PQueue({ concurrency: MAX_RUNNING });
    this.queues.set(account, queue);
    return queue;
  }
}

@Injectable()
class AccountQueueInterceptor implements NestInterceptor {
  constructor(private readonly queues: AccountQueues) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const account = request.user?.id ?? clientNetwork(clientAddress(request));
    const signal = closeSignal(http.getResponse<Response>());
    return of(await this.queues.run(account, signal, () => lastValueFrom<unknown>(next.handle())));
  }
}

/**
 * A route that reads or changes many rows: it runs in the queue of its account, or of the client network without one.
 * To be written above the decorators of a body, which then is read before.
 */
export const QueuedByAccount = () => UseInterceptors(AccountQueueInterceptor);

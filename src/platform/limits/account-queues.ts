import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { lastValueFrom, of } from 'rxjs';
import { clientAddress, clientNetwork } from '../http/visitor.js';
import { closeSignal } from '../http/close-signal.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import { Problem } from '../errors/problem.js';
import { SECOND_MS } from '../settings/units.js';
import { KeyedQueues } from './keyed-queues.js';

/** Of one account. */
export const MAX_WAITING = 50;

/**
 * Limits how much long work is done at a time, for each account and in total. Such work yields to the event loop, but
 * a hundred tasks that yield to each other would still delay every other request by a hundred of their steps.
 */
@Injectable()
export class AccountQueues extends KeyedQueues {
  constructor() {
    super({
      concurrency: 4,
      concurrencyOfOne: 2,
      waitingOfOne: MAX_WAITING,
      waitingOfAll: 1000,
      tooMany: () => new TooManyRequests('requests', new Problem('too_many_waiting_requests'), 2 * SECOND_MS),
    });
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

import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { closeSignal } from '../http/close-signal.js';
import { Log } from '../logging/log.js';
import { requestContext } from '../logging/request-context.js';
import { UnsealError } from './secretbox.js';

const MAX_REMEMBERED = 1000;

/** The first damaged row that a request has found, and how many it has found. */
interface Found {
  row: string;
  error: UnsealError;
  count: number;
}

/** Reads sealed values of rows some of which may be damaged, so that one of them does not fail a whole list. */
@Injectable()
export class UnreadableRows {
  private readonly known = new Set<string>();
  private readonly found = new WeakMap<Request, Found>();

  constructor(private readonly log: Log) {}

  /**
   * What `read` returns; undefined when it cannot be unsealed. Each row is logged once, all of a request in one line.
   * @param row names it in the log, such as `push ID`
   */
  readIfPossible<Value>(row: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!this.known.has(row)) this.note(row, error);
      return undefined;
    }
  }

  private note(row: string, error: UnsealError): void {
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.add(row);
    const context = requestContext.getStore();
    const request = context?.request.deref();
    const found = request && this.found.get(request);
    if (found) found.count += 1;
    else if (request?.res && !request.res.destroyed)
      this.logAtEnd(request, closeSignal(request.res), { row, error, count: 1 });
    else this.logFound({ row, error, count: 1 });
  }

  private logAtEnd(request: Request, closed: AbortSignal, found: Found): void {
    this.found.set(request, found);
    const log = AsyncLocalStorage.bind(() => {
      this.logFound(found);
    });
    closed.addEventListener('abort', log);
  }

  private logFound({ row, error, count }: Found): void {
    const message =
      count === 1
        ? `A stored value of ${row} cannot be read: the row is damaged`
        : `Stored values of ${count} rows, one of them ${row}, cannot be read: the rows are damaged`;
    this.log.failure(message, error);
  }
}

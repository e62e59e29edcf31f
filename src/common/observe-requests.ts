import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientAddress } from './client-address.js';
import type { Log } from './log.js';
import type { Limit } from './too-many-requests.js';
import { requestContext } from './request-context.js';

/** What is told of a request that is over. */
export interface ObservedRequest {
  method: string;
  /** The pattern of the route, never the address; `none` for all that no route knows. */
  route: string;
  status: string;
  milliseconds: number;
  /** Which limit refused it, if one did. */
  throttledBy?: Limit;
}

/**
 * Gives each request an id, told in the answer's `X-Request-Id`, and writes one line about it when it is over.
 * The line names the route and never the address: addresses hold url_tokens and passphrases.
 */
export function observeRequests(log: Log, measure: (request: ObservedRequest) => void): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');

    requestContext.run({ requestId }, () => {
      response.once('close', () => {
        const { method } = request;
        const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
        const status = response.writableFinished ? response.statusCode : 'aborted';
        const milliseconds = performance.now() - startedAt;
        const { throttledBy } = response.locals as Pick<ObservedRequest, 'throttledBy'>;
        measure({ method, route, status: String(status), milliseconds, throttledBy });
        log.event('request', {
          method,
          route,
          status,
          milliseconds: Math.round(milliseconds),
          ip: clientAddress(request),
        });
      });
      next();
    });
  };
}

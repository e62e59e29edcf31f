import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { clientAddress } from './client-address.js';
import type { Log } from './log.js';
import { requestContext } from './request-context.js';

/**
 * Gives each request an id, told in the answer's `X-Request-Id`, and writes one line about it when it is over.
 * The line names the route and never the address: addresses hold url_tokens and passphrases.
 */
export function observeRequests(log: Log): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = uuidv7();
    const startedAt = performance.now();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');

    requestContext.run({ requestId }, () => {
      response.once('close', () => {
        log.event('request', {
          method: request.method,
          route: (request.route as { path?: string } | undefined)?.path ?? 'none',
          status: response.writableFinished ? response.statusCode : 'aborted',
          milliseconds: Math.round(performance.now() - startedAt),
          ip: clientAddress(request),
        });
      });
      next();
    });
  };
}

import type { Request, Response } from 'express';
import type { Log } from '../../logging/log.js';
import { clientAddress } from '../client-address.js';
import type { Limit } from '../errors/too-many-requests.js';

/** A request that has ended. */
export interface CompletedRequest {
  method: string;
  /** The pattern of the route, never the URL; `none` if no route matches. */
  route: string;
  status: string;
  milliseconds: number;
  /** The limit that rejected it, if any. */
  throttledBy?: Limit;
}

/**
 * Logs one line about a request when it has ended, and measures it if metrics are on.
 * The line contains the route and never the URL: URLs contain url_tokens and passphrases.
 */
export function logRequest(
  requestId: string,
  request: Request,
  response: Response,
  log: Log,
  measure: ((request: CompletedRequest) => void) | undefined,
): void {
  const startedAt = performance.now();
  const ip = clientAddress(request); // read now: it is unknown once the peer has disconnected
  response.once('close', () => {
    const { method } = request;
    const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
    const status = response.writableFinished ? response.statusCode : 'aborted';
    const milliseconds = performance.now() - startedAt;
    const { throttledBy } = response.locals as Pick<CompletedRequest, 'throttledBy'>;
    measure?.({ method, route, status: String(status), milliseconds, throttledBy });
    // the id is named, because a connection that breaks off ends the response outside the context of the request
    log.event('request', { requestId, method, route, status, milliseconds: Math.round(milliseconds), ip });
  });
}

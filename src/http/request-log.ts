import type { Request, Response } from 'express';
import type { Log } from '../logging/log.js';
import { clientAddress } from './client-address.js';
import type { Limit } from './too-many-requests.js';

/** What is known of a request that is over. */
export interface CompletedRequest {
  method: string;
  /** The pattern of the route, never the address; `none` for all that no route knows. */
  route: string;
  status: string;
  milliseconds: number;
  /** Which limit refused it, if one did. */
  throttledBy?: Limit;
}

/**
 * Writes one line about a request when it is over, and measures it where metrics are on.
 * The line names the route and never the address: addresses hold url_tokens and passphrases.
 */
export function logRequest(
  request: Request,
  response: Response,
  log: Log,
  measure: ((request: CompletedRequest) => void) | undefined,
): void {
  const startedAt = performance.now();
  const ip = clientAddress(request); // now: it is not known any more once the peer has gone
  response.once('close', () => {
    const { method } = request;
    const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
    const status = response.writableFinished ? response.statusCode : 'aborted';
    const milliseconds = performance.now() - startedAt;
    const { throttledBy } = response.locals as Pick<CompletedRequest, 'throttledBy'>;
    measure?.({ method, route, status: String(status), milliseconds, throttledBy });
    log.event('request', { method, route, status, milliseconds: Math.round(milliseconds), ip });
  });
}

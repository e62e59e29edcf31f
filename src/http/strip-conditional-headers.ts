import type { IncomingMessage } from 'node:http';

/**
 * Makes a request unconditional: Express would answer `If-None-Match: *` with 304 and no body, and a view would be
 * counted that nobody saw.
 */
export function stripConditionalHeaders({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) delete headers['if-none-match'];
  if (headers['if-modified-since'] !== undefined) delete headers['if-modified-since'];
}

import type { Request } from 'express';

/**
 * Whether all of a request body has arrived, read or not. When a short body arrives together with its headers, Node.js
 * sets `complete` only in a later turn of the event loop.
 */
export function hasArrived(request: Request): boolean {
  if (request.complete) return true;
  const { headers } = request;
  const length = headers['content-length'];
  if (length !== undefined) return request.readableLength === Number(length);
  return headers['transfer-encoding'] === undefined;
}

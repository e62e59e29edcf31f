import type { NextFunction, Request, Response } from 'express';

/**
 * Makes a request one without conditions: Express would answer `If-None-Match: *` with 304 and no body, and a view
 * would be counted that nobody saw.
 */
export function unconditional({ headers }: Request, _response: Response, next: NextFunction): void {
  delete headers['if-none-match'];
  delete headers['if-modified-since'];
  next();
}

import type { NextFunction, Request, Response } from 'express';

const HEADERS = ['Content-Type', 'Authorization', 'X-User-Email', 'X-User-Token'];

/**
 * Browsers let pages of any origin send an API token and read the answer. Cookies stay out: there is no
 * `Access-Control-Allow-Credentials`, and no cookie is a credential of the API.
 */
export function anyOrigin(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': HEADERS.join(', '),
  });
  next();
}

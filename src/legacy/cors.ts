import type { NextFunction, Request, Response } from 'express';

const HEADERS = ['Content-Type', 'Authorization', 'X-User-Email', 'X-User-Token'];

/**
 * Allows pages of any origin to send an API token and read the response. Browsers send no cookies: there is no
 * `Access-Control-Allow-Credentials`, and the API does not accept cookies anyway.
 */
export function allowAnyOrigin(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': HEADERS.join(', '),
  });
  next();
}

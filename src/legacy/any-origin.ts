import type { NextFunction, Request, Response } from 'express';

/** Browsers let pages of any origin read the answer. Credentials stay out: `Authorization` is not among the headers. */
export function anyOrigin(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
  });
  next();
}

import type { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { SECOND_MS } from '../../settings/units.js';
import type { Limit } from './too-many-requests.js';

const UNAVAILABLE_SECONDS = 5;

/** Some errors tell when the request may be sent again. */
type Rejection = HttpException & { readonly retryAfterSeconds?: number; readonly limit?: Limit };

/** After how many seconds a rejected request may be sent again; undefined if that is not known. */
export function retryAfter(error: Rejection): number | undefined {
  return error.retryAfterSeconds ?? (error.getStatus() === 503 ? UNAVAILABLE_SECONDS : undefined);
}

/** Sets `Retry-After`, and notes which limit was exceeded, if one was, for the metrics. */
export function setRetryAfter(response: Response, error: Rejection): void {
  if (error.limit !== undefined) response.locals.throttledBy = error.limit;
  const seconds = retryAfter(error);
  if (seconds !== undefined) response.set('Retry-After', String(seconds));
}

/** At least one. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / SECOND_MS));
}

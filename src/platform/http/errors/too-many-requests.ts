import { HttpException, HttpStatus } from '@nestjs/common';
import type { Problem } from '../../errors/problem.js';
import { wholeSeconds } from './retry-after.js';

/**
 * The limit that was exceeded. `requests`: on all requests from an address, on unfinished bodies or downloads of a
 * network, on requests of an account that wait in its queue, or on what it may use in a day. `attempts`: on attempts at
 * a passphrase or password, on sign-ups and changes of the email address, or on passphrases and passwords that wait to
 * be hashed or checked.
 */
export const LIMITS = ['requests', 'attempts'] as const;
export type Limit = (typeof LIMITS)[number];

/** 429, with the time to wait. */
export class TooManyRequests extends HttpException {
  readonly retryAfterSeconds: number;

  constructor(
    readonly limit: Limit,
    problem: Problem,
    waitMs: number,
  ) {
    super(problem, HttpStatus.TOO_MANY_REQUESTS);
    this.retryAfterSeconds = wholeSeconds(waitMs);
  }
}

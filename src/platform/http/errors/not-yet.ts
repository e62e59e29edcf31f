import { ForbiddenException } from '@nestjs/common';
import type { Problem } from '../../errors/problem.js';
import { wholeSeconds } from './retry-after.js';

/** 403 until some time. */
export class NotYet extends ForbiddenException {
  readonly retryAfterSeconds: number;

  constructor(problem: Problem, until: Date, now: Date) {
    super(problem);
    this.retryAfterSeconds = wholeSeconds(until.getTime() - now.getTime());
  }
}

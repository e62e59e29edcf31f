import { ForbiddenException } from '@nestjs/common';
import type { Problem } from '../../errors/problem.js';

/** 403 until some time. */
export class NotYet extends ForbiddenException {
  readonly retryAfterSeconds: number;

  constructor(problem: Problem, until: Date, now: Date) {
    super(problem);
    this.retryAfterSeconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  }
}

import { ForbiddenException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';

/** The account must set up a second factor before it may do this: REQUIRE_SECOND_FACTOR. */
export class SecondFactorNeeded extends ForbiddenException {
  constructor() {
    super(new Problem('second_factor_needed'));
  }
}

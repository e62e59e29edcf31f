import { UnauthorizedException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';

/** The page is only for signed-in users, and this visitor is not signed in. */
export class SignInNeeded extends UnauthorizedException {
  constructor() {
    super(new Problem('sign_in_needed'));
  }
}

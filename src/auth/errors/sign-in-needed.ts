import { UnauthorizedException } from '@nestjs/common';

/** The page is only for signed-in users, and this visitor is not signed in. */
export class SignInNeeded extends UnauthorizedException {
  constructor() {
    super('Sign in first.');
  }
}

import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { User } from '../auth/user.entity.js';

/** Whoever is signed in, as a parameter of a page's method; undefined where that is nobody. */
export const SignedIn = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<Request>().user as User | undefined,
);

import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { User } from '../../auth/entities/user.entity.js';

/** The signed-in user as a parameter of a page handler; undefined if there is none. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<Request>().user as User | undefined,
);

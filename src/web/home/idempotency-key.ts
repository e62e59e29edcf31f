import { BadRequestException, createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';

/** A structured field string (RFC 9651, section 3.3.3), long enough for at least 128 random bits. */
const KEY = /^"([\w-]{22,64})"$/;

/** The key in the `Idempotency-Key` header of a submission, as a parameter of a controller method. */
export const CurrentIdempotencyKey = createParamDecorator((_: unknown, context): string | undefined => {
  const header = context.switchToHttp().getRequest<Request>().get('Idempotency-Key');
  if (header === undefined) return undefined;

  const key = KEY.exec(header)?.[1];
  if (key === undefined) {
    throw new BadRequestException(new Problem('idempotency_key_malformed'));
  }
  return key;
});

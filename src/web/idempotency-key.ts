import { BadRequestException, createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';

/** A string of structured fields (RFC 9651, section 3.3.3) with room for 128 random bits and more. */
const KEY = /^"([\w-]{22,64})"$/;

/** The key in the `Idempotency-Key` header of a submission, as a parameter of a controller's method. */
export const CurrentIdempotencyKey = createParamDecorator((_: unknown, context): string | undefined => {
  const header = context.switchToHttp().getRequest<Request>().get('Idempotency-Key');
  if (header === undefined) return undefined;

  const key = KEY.exec(header)?.[1];
  if (key === undefined) {
    throw new BadRequestException(
      'The Idempotency-Key must be 22 to 64 letters, digits, hyphens and underscores in quotes.',
    );
  }
  return key;
});

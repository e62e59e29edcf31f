import { BadRequestException, createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../platform/errors/problem.js';

/**
 * The passphrase of a retrieval request: from the header `X-Push-Passphrase`, percent-encoded, which keeps it out of
 * URLs and logs; otherwise from the query. Undefined when there is none.
 */
export const Passphrase = createParamDecorator((_: unknown, context) =>
  readPassphrase(context.switchToHttp().getRequest<Request>()),
);

/** @throws BadRequestException */
export function readPassphrase({ headers, query }: Request): string | undefined {
  const header = headers['x-push-passphrase'];
  if (typeof header === 'string') return decoded(header, new Problem('passphrase_header_malformed'));

  const { passphrase } = query;
  if (passphrase !== undefined && typeof passphrase !== 'string') {
    throw new BadRequestException(new Problem('passphrase_given_twice'));
  }
  return passphrase;
}

/**
 * The text of a header that is percent-encoded.
 * @throws BadRequestException
 */
export function decoded(header: string, malformed: Problem): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw new BadRequestException(malformed);
  }
}

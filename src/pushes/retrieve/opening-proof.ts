import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../platform/errors/problem.js';
import { decoded, readPassphrase } from '../passphrase/passphrase-parameter.js';
import type { RecipientProof } from '../recipients/open-codes.service.js';

/** What a visitor shows to open a push. */
export interface OpeningProof {
  passphrase?: string;
  recipient?: RecipientProof;
}

/**
 * Parameter decorator: what a retrieval request shows to open a push. Address and code of a recipient are in headers only,
 * the address percent-encoded.
 */
export const CurrentProof = createParamDecorator((_: unknown, context): OpeningProof => {
  const request = context.switchToHttp().getRequest<Request>();
  return { passphrase: readPassphrase(request), recipient: readRecipient(request) };
});

/** @throws BadRequestException */
function readRecipient({ headers }: Request): RecipientProof | undefined {
  const { 'x-push-recipient': email, 'x-push-code': code } = headers;
  if (typeof email !== 'string' || typeof code !== 'string') return undefined;
  return { email: decoded(email, new Problem('recipient_header_malformed')), code: code.trim() };
}

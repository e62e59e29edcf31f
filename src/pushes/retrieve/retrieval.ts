import { createParamDecorator, BadRequestException, UnauthorizedException } from '@nestjs/common';
import type { Request } from 'express';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import type { AuditEvent } from '../../audit/audit.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { PendingAttempt } from '../../platform/limits/client-attempt.js';
import type { Push } from '../push/push.entity.js';
import type { VerifiedRecipient, RecipientCredentials } from '../recipients/open-codes.service.js';
import { Problem } from '../../platform/errors/problem.js';

/** A request for a secret. */
export interface Retrieval {
  readonly push: Push;
  readonly urlToken: string;
  readonly visitor: Visitor;
  readonly now: Date;
  /** Counted before the passphrase that came with the request is checked. */
  readonly attempt?: PendingAttempt;
  /** Who opens a push that names its recipients, unless it is its owner. */
  readonly recipient?: VerifiedRecipient;
}

/** Its entry in the audit log. */
export function entryFor({ push, urlToken, visitor }: Retrieval, kind: AuditKind, id?: string): AuditEvent {
  return { id, pushId: push.id, kind, urlToken, byOwner: push.isOwnedBy(visitor.userId) };
}

/** What a visitor shows to open a push. */
export interface OpeningCredentials {
  passphrase?: string;
  recipient?: RecipientCredentials;
}

/**
 * Parameter decorator: what a retrieval request shows to open a push. Address and code of a recipient are in headers only,
 * the address percent-encoded.
 */
export const CurrentCredentials = createParamDecorator((_: unknown, context): OpeningCredentials => {
  const request = context.switchToHttp().getRequest<Request>();
  return { passphrase: readPassphrase(request), recipient: readRecipient(request) };
});

/** @throws BadRequestException */
function readRecipient({ headers }: Request): RecipientCredentials | undefined {
  const { 'x-push-recipient': email, 'x-push-code': code } = headers;
  if (typeof email !== 'string' || typeof code !== 'string') return undefined;
  return { email: decoded(email, new Problem('recipient_header_malformed')), code: code.trim() };
}

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
function decoded(header: string, malformed: Problem): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw new BadRequestException(malformed);
  }
}

/** The same for everybody who may not open it, whatever is wrong. */
export function codeRefused(): UnauthorizedException {
  return openingRefused(new Problem('open_code_wrong'));
}

/** The 401 of a passphrase, or of the code of a recipient, that is missing or wrong. */
export function openingRefused(problem: Problem): UnauthorizedException {
  return new UnauthorizedException({ error: problem, message: problem, status: 'unauthorized' });
}

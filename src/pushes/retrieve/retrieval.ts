import type { AuditKind } from '../../audit/audit-entry.entity.js';
import type { AuditEvent } from '../../audit/audit.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { PendingAttempt } from '../../platform/throttling/client-attempt.js';
import type { Push } from '../push/push.entity.js';
import type { VerifiedRecipient } from '../recipients/open-codes.service.js';

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

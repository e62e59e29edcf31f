import { hash } from 'node:crypto';
import type { AuditEntry, AuditKind } from '../../audit/audit-entry.entity.js';
import type { PushKind } from '../../shared/push-kind.js';
import type { Push } from '../push/push.entity.js';

/** What an audit entry says about its push. */
export type AuditedPush = Pick<Push, 'id' | 'userId' | 'tokenDigest' | 'kind'>;

/** The columns of an audited push. */
export const AUDITED_PUSH = { id: true, userId: true, tokenDigest: true, kind: true } as const;

/** The columns of a log as CSV. */
export const AUDIT_COLUMNS = [
  ...['id', 'push', 'push_kind', 'kind', 'ip', 'user_agent', 'referrer', 'by_owner'],
  ...['file', 'created_at', 'digest'],
];

/** What the digest of a line is made of: the line without it, in this order. */
type UndigestedLine = Omit<AuditLineDto, 'digest'>;

/** A chained audit entry, as a line of the audit log of an account. */
export class AuditLineDto {
  /** The number of the entry in the log of its account, not the id of its row. Numbers increase, and may be missing. */
  id: number;
  push: string;
  push_kind: PushKind;
  kind: AuditKind;
  ip: string;
  user_agent: string;
  referrer: string;
  by_owner: boolean;
  /** Which file was downloaded, from 1, or 0 for all in one archive; absent when that is not known. */
  file?: number;
  created_at: string;
  digest: string;

  static of(entry: AuditEntry, push: AuditedPush): AuditLineDto {
    return { ...undigested(entry, entry.number ?? 0, push), digest: entry.digest ?? '' };
  }

  /**
   * The digest of an entry that gets this number.
   * @param previous the digest of the push's entry before it, empty for the first
   */
  static digestOf(entry: AuditEntry, number: number, push: AuditedPush, previous: string): string {
    return hash('sha256', previous + JSON.stringify(undigested(entry, number, push)));
  }
}

function undigested(entry: AuditEntry, number: number, push: AuditedPush): UndigestedLine {
  return {
    id: number,
    push: push.tokenDigest,
    push_kind: push.kind,
    kind: entry.kind,
    ip: entry.ip,
    user_agent: entry.userAgent,
    referrer: entry.referrer,
    by_owner: entry.byOwner,
    ...(entry.fileNumber !== null && { file: entry.fileNumber }),
    created_at: entry.createdAt.toISOString(),
  };
}

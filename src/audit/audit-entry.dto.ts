import type { AuditEntry, AuditKind } from './audit-entry.entity.js';

/** An audit entry in version 1 of the API, to which `AuditEntryWithMailsDto` adds for version 2. */
export class AuditEntryDto {
  ip: string;
  user_agent: string;
  referrer: string;
  kind: AuditKind;
  created_at: string;
  updated_at: string;

  static of(entry: AuditEntry): AuditEntryDto {
    const at = entry.createdAt.toISOString();
    return {
      ip: entry.ip,
      user_agent: entry.userAgent,
      referrer: entry.referrer,
      kind: entry.kind,
      created_at: at,
      updated_at: at,
    };
  }
}

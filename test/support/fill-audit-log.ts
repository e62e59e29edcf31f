import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';

const ROWS_AT_ONCE = 500;

/** Adds entries to the log of a push, not chained yet, with client names of the greatest length. */
export async function fillAuditLog({ manager }: DataSource, pushId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ id: uuidv7(), pushId, kind: 'failed_view' as const, ip: '192.0.2.1' },
    ...{ userAgent: `${i} `.padEnd(255, 'x'), referrer: '', byOwner: false, linkId: null },
    createdAt: new Date(),
  }));
  for (let from = 0; from < count; from += ROWS_AT_ONCE)
    await manager
      .createQueryBuilder()
      .insert()
      .into(AuditEntry)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .updateEntity(false)
      .execute();
}

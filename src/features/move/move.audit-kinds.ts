import { declareAuditKinds } from '../../platform/instance-audit/instance-audit-kinds.js';

/** What the commands record, and the service shows: it loads this file too. */
export const MoveAuditKind = declareAuditKinds({
  database_exported: 'instanceAudit.database_exported',
  database_imported: 'instanceAudit.database_imported',
});

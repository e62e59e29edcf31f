import { declareAuditKinds } from '../../platform/instance-audit/instance-audit-kinds.js';

/** What the command records, and the service shows: it loads this file too. */
export const PasswordPusherAuditKind = declareAuditKinds({
  passwordpusher_imported: 'instanceAudit.passwordpusher_imported',
});

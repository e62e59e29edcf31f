import type { InstanceAuditEntry } from './instance-audit-entry.entity.js';

/** An entry as it is exported and downloaded. */
export function instanceAuditLine(entry: InstanceAuditEntry) {
  const { id, createdAt, kind, actorType, actorId, actor, subjectId, subject, ip, userAgent, details } =
    entry;
  return {
    ...{ id, created_at: createdAt, kind },
    ...{ actor_type: actorType, actor_id: actorId, actor },
    ...{ account: subjectId, email: subject },
    ...{ ip, user_agent: userAgent, details },
  };
}

/** The columns of the log as CSV. */
export const INSTANCE_AUDIT_COLUMNS: readonly (keyof ReturnType<typeof instanceAuditLine>)[] = [
  ...(['id', 'created_at', 'kind', 'actor_type', 'actor_id', 'actor'] as const),
  ...(['account', 'email', 'ip', 'user_agent', 'details'] as const),
];

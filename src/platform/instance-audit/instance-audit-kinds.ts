import type { TextKey } from '../../texts/text-parameters.js';

/** What is recorded of an instance. What happens to pushes is in `audit_entries`. */
const CORE_KINDS = [
  'signed_in',
  'sign_in_failed',
  'provider_logout',
  'identity_joined',
  'identity_removed',
  'signed_out_everywhere',
  'session_ended',
  'account_created',
  'account_disabled',
  'account_enabled',
  'account_deleted',
  'account_group_changed',
  'email_changed',
  'email_verified',
  'password_set',
  'password_link_created',
  'password_link_sent',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'second_factor_limited',
  'recovery_codes_created',
  'recovery_code_used',
  'administrator_added',
  'administrator_removed',
  'token_created',
  'token_revoked',
  'group_created',
  'group_changed',
  'group_deleted',
  'settings_changed',
  'master_key_added',
  'master_key_removed',
  'keys_rotated',
  'pushes_purged',
  'database_backed_up',
  'files_adopted',
  'files_swept',
  'audit_exported',
] as const;

type CoreKind = (typeof CORE_KINDS)[number];

declare const isDeclared: unique symbol;

/** What is recorded: one of these, or what `declareAuditKinds` returns. */
export type InstanceAuditKind = CoreKind | (string & { readonly [isDeclared]: true });

/** The width of the column. */
const MAX_LENGTH = 30;

/** Of features, with the keys of their texts. */
const declared = new Map<string, TextKey | null>();

/** Those that a stranger can cause. */
const ofStrangers = new Set<string>(['sign_in_failed']);

/**
 * Declares kinds of a feature, each with the key of what administrators read; null for the kind itself. Of those that a
 * stranger can cause, a limited number is recorded in an hour.
 * @throws Error when one is declared already, or is longer than 30 characters
 */
export function declareAuditKinds<Kind extends string>(
  texts: Record<Kind, TextKey | null>,
  { byStrangers = false } = {},
): Record<Kind, InstanceAuditKind> {
  for (const [kind, text] of Object.entries<TextKey | null>(texts)) {
    if (instanceAuditKinds().some((known) => known === kind))
      throw new Error(`The audit kind ${kind} is declared twice.`);
    if (kind.length > MAX_LENGTH) throw new Error(`The audit kind ${kind} is too long.`);
    declared.set(kind, text);
    if (byStrangers) ofStrangers.add(kind);
  }
  return Object.fromEntries(Object.keys(texts).map((kind) => [kind, kind])) as Record<
    Kind,
    InstanceAuditKind
  >;
}

export function canStrangersCause(kind: InstanceAuditKind): boolean {
  return ofStrangers.has(kind);
}

/** All kinds that are declared by the files that are loaded. */
export function instanceAuditKinds(): InstanceAuditKind[] {
  return [...CORE_KINDS, ...declared.keys()] as InstanceAuditKind[];
}

/** The key of what administrators read; null for the kind itself, as of a feature that is no longer there. */
export function auditKindText(kind: InstanceAuditKind): TextKey | null {
  const core = CORE_KINDS.find((known) => known === kind);
  return core === undefined ? (declared.get(kind) ?? null) : `instanceAudit.${core}`;
}

import { Column, Entity, Index } from 'typeorm';
import { DateTimeColumn, IdColumn, ReferenceColumn } from '../database/columns.js';

/** What is recorded of an instance. What happens to pushes is in `audit_entries`. */
export const INSTANCE_AUDIT_KINDS = [
  'signed_in',
  'sign_in_failed',
  'provider_sign_in_refused',
  'provider_logout',
  'provider_logout_refused',
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
  'webhook_added',
  'webhook_secret_replaced',
  'webhook_enabled',
  'webhook_deleted',
  'group_created',
  'group_changed',
  'group_deleted',
  'settings_changed',
  'master_key_added',
  'master_key_removed',
  'keys_rotated',
  'pushes_purged',
  'database_exported',
  'database_imported',
  'passwordpusher_imported',
  'database_backed_up',
  'files_adopted',
  'files_swept',
  'audit_exported',
] as const;

export type InstanceAuditKind = (typeof INSTANCE_AUDIT_KINDS)[number];

/** Who acts: a signed-in account, a visitor without one, the operator by a command, or the service by itself. */
export type ActorType = 'account' | 'visitor' | 'provider' | 'command' | 'service';

/** What else an entry says: ids, names of settings, and an email address; never a secret or a value of a setting. */
export interface InstanceAuditDetails {
  token?: string;
  /** What the token may be used for, unless for everything. */
  scope?: 'create' | 'read';
  /** When the token ends; ISO 8601. */
  ends_at?: string;
  webhook?: string;
  master_key?: string;
  settings?: string[];
  previous_email?: string;
  /** The name of a group of accounts; empty for none. */
  group?: string;
  /** The name of the group that its accounts were moved to. */
  successor?: string;
  /** Why something was refused, as one of a few codes. */
  reason?: string;
  /** A code of OAuth 2.0 that the sign-in provider has sent. */
  provider_error?: string;
  /** How many sessions ended. */
  sessions?: number;
  /** Further entries of this kind within the hour are only in the log. */
  is_last_of_hour?: true;
}

/** An entry of the audit log of the instance. It outlives the accounts that it names. */
@Entity('instance_audit_entries')
@Index(['kind', 'id'])
@Index('instance_audit_entries_of_subject', ['subjectId', 'kind', 'id'])
@Index(['isLogged', 'id'])
export class InstanceAuditEntry {
  @IdColumn()
  id: string;

  @DateTimeColumn()
  createdAt: Date;

  @Column('varchar', { length: 30 })
  kind: InstanceAuditKind;

  @Column('varchar', { length: 10 })
  actorType: ActorType;

  /** The id of the account that acts, if one does. */
  @ReferenceColumn({ nullable: true })
  actorId: string | null;

  /** Its email address then; of a command, the name of the user of the operating system; of a sign-in provider, its name. */
  @Column('varchar', { length: 254 })
  actor: string;

  /** The id of the account that it is about, if it is about one. */
  @ReferenceColumn({ nullable: true })
  subjectId: string | null;

  /** Its email address then. */
  @Column('varchar', { length: 254 })
  subject: string;

  /** The client address; empty without a request, like the next one. */
  @Column('varchar', { length: 45 })
  ip: string;

  @Column('varchar', { length: 255 })
  userAgent: string;

  @Column('simple-json')
  details: InstanceAuditDetails;

  /** Whether the log has it. A command has no log, so the service logs its entries. */
  @Column('boolean')
  isLogged: boolean;
}

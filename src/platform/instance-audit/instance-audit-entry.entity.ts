import { Column, Entity, Index } from 'typeorm';
import { DateTimeColumn, IdColumn, ReferenceColumn } from '../database/columns.js';
import type { InstanceAuditKind } from './instance-audit-kinds.js';

/** Who acts: a signed-in account, a visitor without one, the operator by a command, or the service by itself. */
type ActorType = 'account' | 'visitor' | 'provider' | 'command' | 'service';

/** What else an entry says: ids, names of settings, and an email address; never a secret or a value of a setting. */
export interface InstanceAuditDetails {
  token?: string;
  /** What the token may be used for, unless for everything. */
  scope?: 'create' | 'read';
  /** When the token ends; ISO 8601. */
  ends_at?: string;
  master_key?: string;
  settings?: string[];
  previous_email?: string;
  /** The name of a group of accounts; empty for none. */
  group?: string;
  /** The name of the group that its accounts were moved to. */
  successor?: string;
  /** Why something was refused, as one of a few codes. */
  reason?: string;
  /** How many sessions ended. */
  sessions?: number;
  /** Further entries of this kind within the hour are only in the log. */
  is_last_of_hour?: true;
  /** What a feature adds, such as the id of what was changed: administrators read it as it is. */
  [ofFeature: string]: string | string[] | number | true | undefined;
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

import { Column, Entity, Index } from 'typeorm';
import { DateTimeColumn, ExactTextColumn, IdColumn } from '../../platform/database/columns.js';
import type { RequiredFor } from '../../platform/settings/settings.js';

export const MAX_GROUP_NAME = 60;

/** The rules of a group: what is not set is as the settings say. */
export type GroupRules = Omit<AccountGroup, 'id' | 'createdAt'>;

/** The rules by which something is required, also where no setting requires it. */
export type GroupRequirements = Record<Extract<keyof AccountGroup, `require${string}`>, RequiredFor>;

/** Accounts for which stricter rules hold when they create something. */
@Entity('account_groups')
export class AccountGroup {
  @IdColumn()
  id: string;

  @Index({ unique: true })
  @ExactTextColumn(MAX_GROUP_NAME)
  name: string;

  @Column('boolean')
  mayCreate: boolean;

  /** Of EXPIRE_AFTER_DAYS_MAX and this, the smaller one holds. */
  @Column('integer', { nullable: true })
  maxDays: number | null;

  /** The same for EXPIRE_AFTER_VIEWS_MAX. */
  @Column('integer', { nullable: true })
  maxViews: number | null;

  @Column('varchar', { length: 5 })
  requirePassphrase: RequiredFor;

  @Column('varchar', { length: 5 })
  requireClick: RequiredFor;

  @Column('varchar', { length: 5 })
  requireRecipients: RequiredFor;

  @Column('varchar', { length: 5 })
  requireEndToEnd: RequiredFor;

  @DateTimeColumn()
  createdAt: Date;
}

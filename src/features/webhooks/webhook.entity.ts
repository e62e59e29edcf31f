import type { EntityManager } from 'typeorm';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { DateTimeColumn, IdColumn, ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { NotExported } from '../../platform/database/tables.js';

/** How long a webhook may fail without interruption before it is disabled. */
const MAX_FAILING_MS = 3 * DAY_MS;

export type WebhookChange = Partial<Pick<Webhook, 'failingSince' | 'disabledAt'>>;

/** A URL that is told by a POST request what happens to pushes. */
@Entity('webhooks')
@Index(['userId', 'id'])
@Index(['masterKeyId', 'id'])
export class Webhook {
  @IdColumn()
  id: string;

  /** The account whose pushes it is about; null when it is about all pushes of the instance. */
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** Its URL, which often contains a password or a token, and its secrets: see WebhookSeal. */
  @SealedColumn()
  sealed: Buffer;

  /** The types of events, separated by commas. */
  @Column('varchar', { length: 200 })
  events: string;

  @DateTimeColumn()
  createdAt: Date;

  /** When the first of the attempts failed that have failed without a success since; null after a success. */
  @DateTimeColumn({ nullable: true })
  failingSince: Date | null;

  /** Since when nothing is sent to it any more; null while it is in use. */
  @DateTimeColumn({ nullable: true })
  disabledAt: Date | null;

  /** After three days without success it is disabled. Undefined when nothing changes. */
  failed(now: Date): WebhookChange | undefined {
    if (this.failingSince === null || this.failingSince > now) return { failingSince: now };
    return now.getTime() - this.failingSince.getTime() > MAX_FAILING_MS ? { disabledAt: now } : undefined;
  }

  /** Undefined when nothing changes. */
  succeeded(): WebhookChange | undefined {
    return this.failingSince === null ? undefined : { failingSince: null };
  }
}

export const WEBHOOK_CHANGES = 'webhooks';

/** The only row of its table: tells each process whether it still knows all webhooks. */
@NotExported() // of processes that use this database
@Entity('webhook_changes')
export class WebhookChanges {
  @PrimaryColumn('varchar', { length: 36 })
  id: string;

  /** Counted up by each transaction that adds, removes, disables or enables one, so that they run one after the other. */
  @Column('integer')
  changes: number;
}

/** Within a transaction that adds, removes, disables or enables a webhook: others wait until it ends. */
export async function incrementChanges(manager: EntityManager): Promise<void> {
  await manager.increment(WebhookChanges, { id: WEBHOOK_CHANGES }, 'changes', 1);
}

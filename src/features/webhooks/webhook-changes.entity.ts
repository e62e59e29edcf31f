import type { EntityManager } from 'typeorm';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotExported } from '../../platform/database/not-exported.js';

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

import { Injectable } from '@nestjs/common';
import { RowSeal } from '../sealing/row-seal.js';
import type { OutboxMessage } from './outbox-message.entity.js';

type BoundColumns = Pick<OutboxMessage, 'id' | 'createdAt'>;

/** Seals what messages contain until they have ended. */
@Injectable()
export class MessageSeal extends RowSeal<object, BoundColumns> {
  protected readonly kind = 'outbox';

  protected contextOf({ id }: BoundColumns): string {
    return `outbox_messages/${id}`;
  }

  /** A key for each day, so that the number of seals with one key is limited. */
  protected override scopeOf({ createdAt }: BoundColumns): string {
    return `${this.kind}/${createdAt.toISOString().slice(0, 10)}`;
  }
}

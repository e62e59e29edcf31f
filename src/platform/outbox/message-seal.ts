import { Injectable } from '@nestjs/common';
import type { SealedByMasterKey } from '../sealing/keyring.js';
import { Keyring } from '../sealing/keyring.js';
import type { OutboxMessage } from './outbox-message.entity.js';

type Row = Pick<OutboxMessage, 'id' | 'createdAt'>;

/** Seals what messages contain, each bound to its row. */
@Injectable()
export class MessageSeal {
  constructor(private readonly keyring: Keyring) {}

  seal(values: object, row: Row): SealedByMasterKey {
    return this.keyring.seal(Buffer.from(JSON.stringify(values)), scopeOf(row), contextOf(row));
  }

  /**
   * The values of a message that has not ended.
   * @throws UnsealError when the row was tampered with
   */
  unseal({ masterKeyId, sealed, ...row }: OutboxMessage): object {
    const content = { masterKeyId: masterKeyId ?? '', sealed: sealed ?? Buffer.alloc(0) };
    return JSON.parse(this.keyring.unseal(content, scopeOf(row), contextOf(row)).toString()) as object;
  }
}

/** A key for each day, so that the number of seals with one key is limited. */
function scopeOf({ createdAt }: Row): string {
  return `outbox/${createdAt.toISOString().slice(0, 10)}`;
}

function contextOf({ id }: Row): string {
  return `outbox_messages/${id}`;
}

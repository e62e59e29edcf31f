import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { Repository } from 'typeorm';
import { removeInBatches } from '../database/remove-in-batches.js';
import { newId } from '../random/random.js';
import { PreparedStatements } from '../database/statements/statements.js';
import type { Transaction } from '../database/transactions/unit-of-work.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { MessageSeal } from './message-seal.js';
import { OutboxMessage } from './outbox-message.entity.js';
import { OutboxSchedule } from './outbox.schedule.js';

const WITHOUT_CONTENT = ['id', 'kind', 'createdAt', 'attempts', 'nextAttemptAt', 'outcome', 'error'];

/** What to send, and to whom. */
export interface NewMessage {
  /** For a caller that refers to the message; otherwise a new one. */
  id?: string;
  channel: string;
  destination: string;
  kind: string;
  /** The account that it is for. */
  userId: string | null;
  /** What the channel needs to send it, at most 60 kB as JSON. It is sealed in the database. */
  values: object;
}

/**
 * Messages to send. A message is written in the transaction of what it reports, so neither is ever committed without the
 * other, and sent soon after the commit.
 */
@Injectable()
export class OutboxService {
  private readonly statements: PreparedStatements<OutboxMessage>;

  constructor(
    @InjectRepository(OutboxMessage) private readonly messages: Repository<OutboxMessage>,
    private readonly unitOfWork: UnitOfWork,
    private readonly seal: MessageSeal,
    private readonly schedule: OutboxSchedule,
  ) {
    this.statements = new PreparedStatements(messages.manager.dataSource, OutboxMessage);
  }

  /** Adds a message, which is sent soon after the commit. It refers to its account, whose row is locked first. */
  add(tx: Transaction, message: NewMessage, now: Date): void {
    if (message.userId !== null) tx.lockParent('users', message.userId);
    this.statements.insert(tx, this.build(message, now));
    tx.afterCommit(() => {
      this.schedule.sendSoon(message.destination);
    });
  }

  /** The latest messages to a destination, newest first, without their content. */
  latestTo(destination: string, count: number): Promise<OutboxMessage[]> {
    return this.messages
      .createQueryBuilder('message')
      .select(WITHOUT_CONTENT.map((column) => `message.${column}`))
      .useIndex('outbox_messages_of_destination') // MySQL would sort all messages to the destination
      .where({ destination })
      .orderBy('message.id', 'DESC')
      .limit(count)
      .getMany();
  }

  /** Removes messages in batches, also those that wait to be sent. */
  remove(where: FindOptionsWhere<OutboxMessage>): Promise<void> {
    return removeInBatches(this.unitOfWork, this.messages, where);
  }

  private build({ id = newId(), values, ...message }: NewMessage, now: Date): OutboxMessage {
    const row = { id, createdAt: now };
    return Object.assign(new OutboxMessage(), {
      ...row,
      ...message,
      ...this.seal.seal(values, row),
      attempts: 0,
      nextAttemptAt: now,
      endedAt: null,
      outcome: null,
      error: null,
      reason: null,
    });
  }
}

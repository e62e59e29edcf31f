import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { newId } from '../random/random.js';
import { PreparedStatements } from '../database/statements/statements.js';
import type { Transaction } from '../database/transactions/unit-of-work.js';
import { MessageSeal } from './message-seal.js';
import { OutboxMessage } from './outbox-message.entity.js';
import { OutboxSchedule } from './outbox.schedule.js';

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
    @InjectDataSource() dataSource: DataSource,
    private readonly seal: MessageSeal,
    private readonly schedule: OutboxSchedule,
  ) {
    this.statements = new PreparedStatements(dataSource, OutboxMessage);
  }

  /** Adds a message, which is sent soon after the commit. It refers to its account, whose row is locked first. */
  add(tx: Transaction, message: NewMessage, now: Date): void {
    if (message.userId !== null) tx.lockParent('users', message.userId);
    this.statements.insert(tx, this.build(message, now));
    tx.afterCommit(() => {
      this.schedule.sendSoon(message.destination);
    });
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

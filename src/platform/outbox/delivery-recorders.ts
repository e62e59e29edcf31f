import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OutboxMessage } from './outbox-message.entity.js';

/** Records the state of a message elsewhere, in the transaction that changes it. It must only write to the database. */
export type DeliveryRecorder = (
  manager: EntityManager,
  message: OutboxMessage,
  now: Date,
) => Promise<unknown>;

/** The recorders by kind of message. They do not depend on channels, which may be switched off. */
@Injectable()
export class DeliveryRecorders {
  private readonly byKind = new Map<string, DeliveryRecorder>();

  set(kind: string, recorder: DeliveryRecorder): void {
    this.byKind.set(kind, recorder);
  }

  async record(manager: EntityManager, message: OutboxMessage, now: Date): Promise<void> {
    await this.byKind.get(message.kind)?.(manager, message, now);
  }
}

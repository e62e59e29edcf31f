import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { byName, contributedMethod, Contributions } from '../contributions/contributions.js';
import type { OutboxMessage } from './outbox-message.entity.js';

type Recorder = (manager: EntityManager, message: OutboxMessage, now: Date) => Promise<unknown>;

/**
 * On the method that records the state of messages of a kind elsewhere, in the transaction that changes it. It must only
 * write to the database.
 */
export const DeliveryRecorder = contributedMethod<Recorder, string>();

/** The recorders by kind of message. They do not depend on channels, which may be switched off. */
@Injectable()
export class DeliveryRecorders implements OnModuleInit {
  private byKind: ReadonlyMap<string, Recorder> = new Map();

  constructor(private readonly contributions: Contributions) {}

  onModuleInit(): void {
    this.byKind = byName(this.contributions.methods(DeliveryRecorder));
  }

  async record(manager: EntityManager, message: OutboxMessage, now: Date): Promise<void> {
    await this.byKind.get(message.kind)?.(manager, message, now);
  }
}

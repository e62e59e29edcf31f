import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  byName,
  contributedProvider,
  Contributions,
  contributedMethod,
} from '../contributions/contributions.js';
import type { OutboxMessage } from './outbox-message.entity.js';

/** A message as its channel gets it. */
export interface Delivery {
  /** The same at each attempt, so that a receiver can recognise a repetition. */
  id: string;
  kind: string;
  destination: string;
  userId: string | null;
  /** What was passed to the outbox. */
  values: object;
  createdAt: Date;
}

/** On the class of the provider that is the channel with this name. */
export const OutboxChannel = contributedProvider<OutboxChannel, string>();

/** Delivers messages of one sort. */
export interface OutboxChannel {
  /** Whether it is switched on, which it is by default. */
  readonly isEnabled?: boolean;

  /** Whether the operator has set up all of its destinations, and is warned when one fails. */
  readonly isOperators?: boolean;

  /** Must end within a minute. Resolves when it is delivered, and rejects with a DeliveryError. */
  deliver(delivery: Delivery): Promise<void>;
}

/** Why a message was not delivered. `code` is shown to administrators: it must not contain anything of the message. */
export class DeliveryError extends Error {
  /**
   * @param type `transient`: this message is tried again. `permanent`: it is not. `destination`: all messages to this
   *   destination would fail now, and wait. `dropped`: there is nothing to send any more, which is no failure.
   * @param reason what the code does not say, in one line of at most 300 characters, such as the words of a mail server.
   *   It is logged, kept with the message and shown to administrators, so it must name nobody and have no credentials.
   */
  constructor(
    readonly code: string,
    readonly type: 'transient' | 'permanent' | 'destination' | 'dropped' = 'transient',
    readonly reason?: string,
  ) {
    super(code);
  }
}

/** The channels by name. */
@Injectable()
export class OutboxChannels implements OnModuleInit {
  private byName: ReadonlyMap<string, OutboxChannel> = new Map();

  constructor(private readonly contributions: Contributions) {}

  onModuleInit(): void {
    this.byName = byName(this.contributions.providers(OutboxChannel));
  }

  /** Of those that are switched on. */
  get names(): string[] {
    return [...this.byName].filter(([, channel]) => isEnabled(channel)).map(([name]) => name);
  }

  /** @throws DeliveryError when it is switched off, or nothing sends such messages */
  get(name: string): OutboxChannel {
    const channel = this.byName.get(name);
    if (!channel || !isEnabled(channel)) throw new DeliveryError('NO_CHANNEL');
    return channel;
  }
}

function isEnabled(channel: OutboxChannel): boolean {
  return channel.isEnabled ?? true;
}

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

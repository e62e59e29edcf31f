import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { contributedProvider, Contributions } from '../../platform/contributions/contributions.js';
import { Log } from '../../platform/logging/log.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import type { Push } from './push.entity.js';
import type { PushKind } from '../../shared/push-kind.js';

/** What an event may contain about a push: nothing that unseals it or identifies its link. */
type EventPush = Pick<Push, 'id' | 'kind' | 'userId'>;

/** Something that has happened to a push and is committed. docs/extending.md explains how to listen. */
export abstract class PushEvent {
  abstract readonly name: string;
  readonly pushId: string;
  readonly kind: PushKind;
  /** The owner; null when it has none. */
  readonly userId: string | null;

  constructor(
    { id, kind, userId }: EventPush,
    readonly at: Date,
  ) {
    this.pushId = id;
    this.kind = kind;
    this.userId = userId;
  }
}

export class PushCreated extends PushEvent {
  static readonly eventName = 'push.created';
  override readonly name = PushCreated.eventName;
}

/** Its secret was shown. */
export class PushRetrieved extends PushEvent {
  static readonly eventName = 'push.retrieved';
  override readonly name = PushRetrieved.eventName;

  constructor(
    push: EventPush,
    at: Date,
    readonly viewsRemaining: number,
    readonly byOwner: boolean,
  ) {
    super(push, at);
  }
}

/** It has ended, by a delete too: the API calls every end `expired`. */
export class PushExpired extends PushEvent {
  static readonly eventName = 'push.expired';
  override readonly name = PushExpired.eventName;

  /** `at` is when the push ended; after the time limit the event may be emitted up to a minute later. */
  constructor(
    push: EventPush,
    at: Date,
    readonly by: 'views' | 'days' | 'delete',
  ) {
    super(push, at);
  }
}

/** A wrong passphrase was tried. */
export class PassphraseFailed extends PushEvent {
  static readonly eventName = 'passphrase.failed';
  override readonly name = PassphraseFailed.eventName;
}

/** On the class of a provider that is told what happens to pushes. */
export const PushNotifier = contributedProvider<PushNotifier>();

/** Tells somebody what happens to pushes, by messages of the outbox. */
export interface PushNotifier {
  /** Whether it is switched on, which it is by default. Asked at the start. */
  readonly isEnabled?: boolean;

  /** Whether it may have messages about this event. Called for every event, so it must decide from memory. */
  wants(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean;

  /**
   * Adds messages, which are committed together with the event, or not at all. Called only when they are wanted, more
   * than once if another request changes the push first.
   * @param push as it was before the event
   */
  notify(tx: Transaction, event: PushEvent, push: Push, now: Date): void;
}

/** What happens to pushes: notifiers write messages in the transaction, listeners in this process are called after it. */
@Injectable()
export class PushEvents implements OnModuleInit {
  private notifiers: PushNotifier[] = [];

  constructor(
    private readonly contributions: Contributions,
    private readonly emitter: EventEmitter2,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    const notifiers = this.contributions.providers(PushNotifier).map(({ contributed }) => contributed);
    this.notifiers = notifiers.filter(({ isEnabled = true }) => isEnabled);
  }

  /** Whether there may be messages about this event. */
  isWanted(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean {
    return this.notifiers.some((notifier) => notifier.wants(event, push));
  }

  /** Adds the messages about an event to its transaction, and emits it after the commit. */
  record(tx: Transaction, event: PushEvent, push: Push, now: Date, { withMessages = true } = {}): void {
    if (withMessages) this.notify(tx, event, push, now);
    tx.afterCommit(() => {
      this.emit(event);
    });
  }

  /** Adds the messages about an event. */
  notify(tx: Transaction, event: PushEvent, push: Push, now: Date): void {
    for (const notifier of this.notifiers)
      if (notifier.wants(event, push)) notifier.notify(tx, event, push, now);
  }

  /** Calls the listeners, only after the commit of what has happened. */
  emit(event: { readonly name: string }): void {
    if (!(this.emitter.hasListeners(event.name) as boolean)) return;
    try {
      this.emitter.emit(event.name, event);
    } catch (error) {
      this.log.failure('A listener failed', error); // the change is already committed
    }
  }
}

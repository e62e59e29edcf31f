import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Log } from '../../platform/logging/log.js';
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

/** Notifies listeners in this process. Only for committed changes: nothing is emitted inside a transaction. */
@Injectable()
export class PushEvents {
  constructor(
    private readonly emitter: EventEmitter2,
    private readonly log: Log,
  ) {}

  emit(event: { readonly name: string }): void {
    if (!(this.emitter.hasListeners(event.name) as boolean)) return;
    try {
      this.emitter.emit(event.name, event);
    } catch (error) {
      this.log.failure('A listener failed', error); // the change is already committed
    }
  }
}

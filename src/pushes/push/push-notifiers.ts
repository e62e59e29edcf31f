import { Injectable } from '@nestjs/common';
import type { NewRow, Write } from '../../platform/database/transactions/write.js';
import type { PushEvent } from './push-events.js';
import type { Push } from './push.entity.js';

/** Tells somebody what happens to pushes, by messages of the outbox. */
export interface PushNotifier {
  /** Whether it may have messages about this event. Called for every event, so it must decide from memory. */
  wants(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean;

  /**
   * Messages that are committed together with the event, or not at all. Called only when they are wanted, more than once
   * if another request changes the push first.
   * @param push as it was before the event
   */
  rowsFor(event: PushEvent, push: Push, now: Date): NewRow[];
}

type MessagesWrite = Required<Pick<Write, 'rows'>> & Pick<Write, 'parent'>;

/** Messages as part of a write. They refer to the owner of the push, whose row is locked before that of the push. */
export function messagesWrite(rows: NewRow[], { userId }: Push): MessagesWrite {
  return { rows, parent: rows.length > 0 && userId !== null ? { table: 'users', id: userId } : undefined };
}

/** The messages about what happens to pushes. */
@Injectable()
export class PushNotifiers {
  private readonly notifiers: PushNotifier[] = [];

  /** A module adds its notifier while it is created. */
  add(notifier: PushNotifier): void {
    this.notifiers.push(notifier);
  }

  areWanted(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean {
    return this.notifiers.some((notifier) => notifier.wants(event, push));
  }

  rowsFor(event: PushEvent, push: Push, now: Date): NewRow[] {
    return this.notifiers.flatMap((notifier) =>
      notifier.wants(event, push) ? notifier.rowsFor(event, push, now) : [],
    );
  }

  /** The same for several events of a push, as part of a write. */
  writeFor(events: PushEvent[], push: Push, now: Date): MessagesWrite {
    return messagesWrite(
      events.flatMap((event) => this.rowsFor(event, push, now)),
      push,
    );
  }
}

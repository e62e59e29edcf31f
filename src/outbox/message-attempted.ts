import type { DeliveryOutcome } from './outbox-message.entity.js';

/** What came of an attempt to deliver a message: `retried` if it is attempted again later. */
export class MessageAttempted {
  static readonly eventName = 'message.attempted';

  constructor(
    readonly channel: string,
    readonly result: DeliveryOutcome | 'retried',
  ) {}
}

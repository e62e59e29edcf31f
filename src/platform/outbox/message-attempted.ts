/**
 * What came of an attempt to deliver a message. It is attempted again later if it was `retried` because of the message, or
 * `destination_failed` whatever the message.
 */
export const ATTEMPT_RESULTS = ['delivered', 'retried', 'destination_failed', 'failed', 'dropped'] as const;

export class MessageAttempted {
  static readonly eventName = 'message.attempted';

  constructor(
    readonly channel: string,
    readonly result: (typeof ATTEMPT_RESULTS)[number],
  ) {}
}

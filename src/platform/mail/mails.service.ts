import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions/unit-of-work.js';
import type { Delivery } from '../outbox/outbox-channels.js';
import type { NewMessage } from '../outbox/outbox.service.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { Settings } from '../settings/settings.js';
import type { Mail } from './mail.js';

export const MAIL_CHANNEL = 'mail';
/** All mails go to the same server, one after the other. */
export const MAIL_DESTINATION = 'smtp';

/**
 * Writes a mail just before it is sent, from the values that were passed to `MailsService`. Returns undefined when there is
 * nothing to send any more.
 */
export type MailComposer<Values extends object> = (
  values: Values,
  delivery: Delivery,
) => Promise<Mail | undefined>;

/** A mail to send: its kind, and the values for the composer of that kind. */
export type NewMail = Pick<NewMessage, 'id' | 'kind' | 'userId' | 'values'>;

/** Mails, sent by the outbox. */
@Injectable()
export class MailsService {
  private readonly composers = new Map<string, MailComposer<object>>();

  constructor(
    private readonly settings: Settings,
    private readonly outbox: OutboxService,
  ) {}

  /** Whether this instance sends mails. Without it, do not add any. */
  get isEnabled(): boolean {
    return this.settings.MAIL_URL !== undefined;
  }

  /** Sets how mails of a kind are written. */
  setComposer<Values extends object>(kind: string, composer: MailComposer<Values>): void {
    this.composers.set(kind, composer as MailComposer<object>);
  }

  /** Adds a mail, which is sent soon after the commit. */
  add(tx: Transaction, mail: NewMail, now: Date): void {
    this.outbox.add(tx, { ...mail, channel: MAIL_CHANNEL, destination: MAIL_DESTINATION }, now);
  }

  async compose(delivery: Delivery): Promise<Mail | undefined> {
    const composer = this.composers.get(delivery.kind);
    if (!composer) throw new Error(`There is no composer for mails of kind ${delivery.kind}`);
    return composer(delivery.values, delivery);
  }
}

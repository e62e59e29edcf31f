import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { byName, contributedMethod, Contributions } from '../contributions/contributions.js';
import type { Transaction } from '../database/transactions/unit-of-work.js';
import type { Delivery } from '../outbox/outbox-channels.js';
import type { NewMessage } from '../outbox/outbox.service.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { Settings } from '../settings/settings.js';
import type { Mail } from './mail.js';

export const MAIL_CHANNEL = 'mail';
/** All mails go to the same server, one after the other. */
export const MAIL_DESTINATION = 'smtp';

type Composed = Mail | undefined;
type Composer = (values: never, delivery: Delivery) => Composed | Promise<Composed>;

/**
 * On the method that writes mails of a kind, each just before it is sent, from the values that were passed to
 * `MailsService`. It returns undefined when there is nothing to send any more.
 */
export const MailComposer = contributedMethod<Composer, string>();

/** A mail to send: its kind, and the values for the composer of that kind. */
export type NewMail = Pick<NewMessage, 'id' | 'kind' | 'userId' | 'values'>;

/** Mails, sent by the outbox. */
@Injectable()
export class MailsService implements OnModuleInit {
  private composers: ReadonlyMap<string, Composer> = new Map();

  constructor(
    private readonly settings: Settings,
    private readonly outbox: OutboxService,
    private readonly contributions: Contributions,
  ) {}

  onModuleInit(): void {
    this.composers = byName(this.contributions.methods(MailComposer));
  }

  /** Whether this instance sends mails. Without it, do not add any. */
  get isEnabled(): boolean {
    return this.settings.MAIL_URL !== undefined;
  }

  /** Adds a mail, which is sent soon after the commit. */
  add(tx: Transaction, mail: NewMail, now: Date): void {
    this.outbox.add(tx, { ...mail, channel: MAIL_CHANNEL, destination: MAIL_DESTINATION }, now);
  }

  async compose(delivery: Delivery): Promise<Mail | undefined> {
    const composer = this.composers.get(delivery.kind);
    if (!composer) throw new Error(`There is no composer for mails of kind ${delivery.kind}`);
    return composer(delivery.values as never, delivery);
  }
}

import { Injectable } from '@nestjs/common';
import type { NodemailerError } from 'nodemailer';
import type { Delivery } from '../outbox/outbox-channels.js';
import { DeliveryError, OutboxChannel } from '../outbox/outbox-channels.js';
import type { Mail } from './mail.js';
import { MailTokenError } from './mail-tokens.js';
import { MailTransport } from './mail-transport.js';
import { MAIL_CHANNEL, MailsService } from './mails.service.js';

/** Sends the mails of the outbox. */
@Injectable()
@OutboxChannel(MAIL_CHANNEL)
export class MailerService implements OutboxChannel {
  readonly isOperators = true;

  constructor(
    private readonly mails: MailsService,
    private readonly transport: MailTransport,
  ) {}

  get isEnabled(): boolean {
    return this.mails.isEnabled;
  }

  async deliver(delivery: Delivery): Promise<void> {
    const mail = await this.mails.compose(delivery);
    if (!mail) throw new DeliveryError('NOT_NEEDED', 'dropped');
    try {
      await this.transport.send(mail, delivery.id);
    } catch (error) {
      throw this.deliveryErrorOf(error as NodemailerError, mail);
    }
  }

  /** The reply code of the server (RFC 5321, section 4.2), or the error of the connection, with what was said. */
  private deliveryErrorOf(error: NodemailerError, { to }: Mail): DeliveryError {
    const { code = 'UNKNOWN', command, responseCode, permanent } = error;
    const isAboutMail = command === 'RCPT TO' || code === 'EMESSAGE';
    const type = !isAboutMail ? 'destination' : permanent ? 'permanent' : 'transient';
    const reason = this.transport.reasonOf(error, to);
    if (error instanceof MailTokenError) return new DeliveryError(error.failure, 'destination', reason);
    return new DeliveryError(
      responseCode === undefined ? code : `SMTP ${responseCode}`,
      type,
      reason === '' || reason.includes(code) ? undefined : reason, // "connect ECONNREFUSED" says no more than its code
    );
  }
}

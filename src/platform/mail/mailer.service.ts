import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { NodemailerError, Transporter } from 'nodemailer';
import type { Delivery, OutboxChannel } from '../outbox/outbox-channels.js';
import { DeliveryError, OutboxChannels } from '../outbox/outbox-channels.js';
import { Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';
import { TextsService } from '../i18n/texts.service.js';
import { MAIL_CHANNEL, MailsService } from './mails.service.js';
import { renderMail } from './render-mail.js';
import { smtpOptions } from './smtp-options.js';

/** For a whole mail; each step of the protocol has a shorter timeout. */
const TIMEOUT_MS = 45 * SECOND_MS;

/** Sends mails to the SMTP server of the settings. */
@Injectable()
export class MailerService implements OutboxChannel, OnModuleInit {
  readonly isOperators = true;
  private transport?: Transporter;

  constructor(
    private readonly settings: Settings,
    private readonly mails: MailsService,
    private readonly texts: TextsService,
    private readonly channels: OutboxChannels,
  ) {}

  async onModuleInit(): Promise<void> {
    const { MAIL_URL } = this.settings;
    if (!MAIL_URL) return;
    const { createTransport } = await import('nodemailer'); // only loaded when it is needed
    this.transport = createTransport(smtpOptions(MAIL_URL));
    this.channels.add(MAIL_CHANNEL, this);
  }

  async deliver(delivery: Delivery): Promise<void> {
    const mail = await this.mails.compose(delivery);
    if (!mail) throw new DeliveryError('NOT_NEEDED', 'dropped');
    const { OPERATOR_NAME, PUBLIC_URL = '', MAIL_FROM } = this.settings;
    const site = { name: OPERATOR_NAME ?? 'Sealpush', url: PUBLIC_URL };
    const { subject, text, html } = renderMail(mail, site, this.texts.in(mail.language));
    await this.send({
      from: MAIL_FROM,
      to: { name: '', address: mail.to },
      subject,
      text,
      html,
      messageId: `<${delivery.id}@${new URL(PUBLIC_URL).hostname}>`, // so that a server can recognise a repetition
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }

  private async send(mail: Parameters<Transporter['sendMail']>[0]): Promise<void> {
    try {
      await this.transport?.sendMail({ ...mail, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw deliveryErrorOf(error as NodemailerError);
    }
  }
}

/**
 * The reply code of the server (RFC 5321, section 4.2), or the error of the connection. The text of the reply is left
 * out: it often contains addresses.
 */
function deliveryErrorOf({ code, command, responseCode, permanent }: NodemailerError): DeliveryError {
  const reason = responseCode === undefined ? (code ?? 'UNKNOWN') : `SMTP ${responseCode}`;
  const isAboutMail = command === 'RCPT TO' || code === 'EMESSAGE';
  if (!isAboutMail) return new DeliveryError(reason, 'destination');
  return new DeliveryError(reason, permanent ? 'permanent' : 'transient');
}

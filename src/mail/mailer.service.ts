import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import type { NodemailerError, Transporter } from 'nodemailer';
import { createTransport } from 'nodemailer';
import type { Delivery, OutboxChannel } from '../outbox/outbox-channels.js';
import { DeliveryError, OutboxChannels } from '../outbox/outbox-channels.js';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';
import { MAIL_CHANNEL, Mails } from './mails.service.js';
import { renderMail } from './render-mail.js';

/** For each step of the protocol. */
const STEP_TIMEOUT_MS = 10 * SECOND_MS;
/** For a whole mail. */
const TIMEOUT_MS = 45 * SECOND_MS;

/** Sends mails to the SMTP server of the settings. */
@Injectable()
export class Mailer implements OutboxChannel, OnModuleInit {
  private readonly transport?: Transporter;

  constructor(
    private readonly settings: Settings,
    private readonly mails: Mails,
    private readonly channels: OutboxChannels,
  ) {
    if (settings.MAIL_URL) this.transport = transportFor(settings.MAIL_URL);
  }

  onModuleInit(): void {
    if (this.transport) this.channels.add(MAIL_CHANNEL, this);
  }

  async deliver(delivery: Delivery): Promise<void> {
    const mail = await this.mails.compose(delivery);
    if (!mail) return;
    const { OPERATOR_NAME, PUBLIC_URL = '', MAIL_FROM } = this.settings;
    const { subject, text, html } = renderMail(mail, { name: OPERATOR_NAME ?? 'Sealpush', url: PUBLIC_URL });
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

function transportFor({ host, port, username, password, tls }: MailServerAddress): Transporter {
  return createTransport({
    host,
    port,
    secure: tls,
    auth: username === undefined ? undefined : { user: username, pass: password },
    requireTLS: !isLoopback(host),
    tls: { rejectUnauthorized: !isLoopback(host) },
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** On this machine nobody else can read the connection, and servers there often have certificates of their own. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/**
 * The reply code of the server (RFC 5321, section 4.2), or the error of the connection. The text of the reply is left
 * out: it often contains addresses.
 */
function deliveryErrorOf({ code, command, responseCode, permanent }: NodemailerError): DeliveryError {
  const reason = responseCode === undefined ? (code ?? 'UNKNOWN') : `SMTP ${responseCode}`;
  const isAboutMail = command === 'RCPT TO' || code === 'EMESSAGE';
  if (!isAboutMail) return new DeliveryError(reason, 'destination');
  return new DeliveryError(reason, permanent ? 'message' : undefined);
}

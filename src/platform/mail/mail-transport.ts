import type { OnModuleInit } from '@nestjs/common';
import { Injectable, Module } from '@nestjs/common';
import type { NodemailerError, Transporter } from 'nodemailer';
import { TextsModule } from '../i18n/texts.module.js';
import { TextsService } from '../i18n/texts.service.js';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';
import type { Mail } from './mail.js';
import { renderMail } from './render-mail.js';
import { smtpOptions } from './smtp-options.js';

/** For a whole mail; each step of the protocol has a shorter timeout. */
const TIMEOUT_MS = 45 * SECOND_MS;
const MAX_REPLY = 300;

/** Hands mails over to the SMTP server of the settings. */
@Injectable()
export class MailTransport implements OnModuleInit {
  private transport?: Transporter;

  constructor(
    private readonly settings: Settings,
    private readonly texts: TextsService,
  ) {}

  async onModuleInit(): Promise<void> {
    const { MAIL_URL } = this.settings;
    if (!MAIL_URL) return;
    const { createTransport } = await import('nodemailer'); // only loaded when it is needed
    this.transport = createTransport(smtpOptions(MAIL_URL));
  }

  /**
   * Returns what the server said, in one line.
   * @param id the same when the mail is sent again, so that a server can recognise a repetition
   * @throws NodemailerError
   */
  async send(mail: Mail, id: string): Promise<string> {
    const { OPERATOR_NAME, PUBLIC_URL = '', MAIL_FROM } = this.settings;
    const site = { name: OPERATOR_NAME ?? 'Sealpush', url: PUBLIC_URL };
    const { subject, text, html } = renderMail(mail, site, this.texts.in(mail.language));
    const sent = (await this.transport?.sendMail({
      from: MAIL_FROM,
      to: { name: '', address: mail.to },
      subject,
      text,
      html,
      messageId: `<${id}@${new URL(PUBLIC_URL).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })) as { response?: string } | undefined;
    return this.inOneLine(sent?.response ?? '');
  }

  /** Why `send` has failed: what the server said, or else what happened to the connection, in one line. */
  reasonOf({ response, message }: NodemailerError): string {
    return this.inOneLine(response ?? message);
  }

  /** Without control characters, and without the credentials of the settings if the server repeats them. */
  private inOneLine(reply: string): string {
    const { MAIL_URL } = this.settings;
    let line = reply;
    for (const secret of MAIL_URL ? secretsIn(MAIL_URL) : []) line = line.replaceAll(secret, '…');
    return Array.from(line.replace(/[\p{C}\p{Z}]+/gu, ' ').trim())
      .slice(0, MAX_REPLY)
      .join('');
  }
}

/** Sends mails without the outbox, which needs the database. */
@Module({ imports: [TextsModule], providers: [MailTransport], exports: [MailTransport] })
export class MailTransportModule {}

/** Password and name, and how clients send them; the longest first. */
function secretsIn({ username = '', password = '' }: MailServerAddress): string[] {
  const texts = [`\0${username}\0${password}`, password, username].filter((text) => text !== '');
  return texts
    .flatMap((text) => [text, Buffer.from(text).toString('base64')])
    .toSorted((one, other) => other.length - one.length);
}

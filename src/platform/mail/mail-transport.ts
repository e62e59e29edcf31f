import type { OnModuleInit } from '@nestjs/common';
import { Injectable, Module } from '@nestjs/common';
import type { NodemailerError, Transporter } from 'nodemailer';
import { TextsModule } from '../i18n/texts.module.js';
import { TextsService } from '../i18n/texts.service.js';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';
import type { Mail } from './mail.js';
import { MailTokens } from './mail-tokens.js';
import { renderMail } from './render-mail.js';
import { serverWords } from './server-words.js';
import { ehloNameOf, smtpOptions } from './smtp-options.js';

/** For a whole mail; each step of the protocol has a shorter timeout. */
const TIMEOUT_MS = 45 * SECOND_MS;

/** Hands mails over to the SMTP server of the settings. */
@Injectable()
export class MailTransport implements OnModuleInit {
  private transport?: Transporter;

  constructor(
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly tokens: MailTokens,
  ) {}

  async onModuleInit(): Promise<void> {
    const { MAIL_URL, MAIL_TLS: mailTls } = this.settings;
    if (!MAIL_URL) return;
    const { createTransport } = await import('nodemailer'); // only loaded when it is needed
    const auth = this.tokens.isConfigured ? this.tokens.auth : undefined;
    this.transport = createTransport(
      smtpOptions(MAIL_URL, { name: ehloNameOf(this.settings), mailTls, auth }),
    );
  }

  /**
   * Returns what the server said, in one line.
   * @param id the same when the mail is sent again, so that a server can recognise a repetition
   * @throws NodemailerError
   * @throws MailTokenError
   */
  async send(mail: Mail, id: string): Promise<string> {
    const { OPERATOR_NAME, PUBLIC_URL = '', MAIL_FROM, BRAND_COLOR, BRAND_COLOR_DARK } = this.settings;
    const site = {
      name: OPERATOR_NAME ?? 'Sealpush',
      url: PUBLIC_URL,
      color: BRAND_COLOR,
      colorInDark: BRAND_COLOR_DARK,
    };
    const { subject, text, html } = renderMail(mail, site, this.texts.in(mail.language));
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const message = {
      from: MAIL_FROM,
      to: { name: '', address: mail.to },
      subject,
      text,
      html,
      messageId: `<${id}@${new URL(PUBLIC_URL).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    };
    const hand = () => this.transport?.sendMail(message) as Promise<{ response?: string } | undefined>;
    const sent = await (this.tokens.isConfigured ? this.tokens.use(hand, signal) : hand());
    return this.inOneLine(sent?.response ?? '');
  }

  /**
   * Why `send` has failed, in one line: what the server said, or else what happened to the connection.
   * @param recipient is not named in it if it is given, nor is any other address
   */
  reasonOf(error: NodemailerError, recipient?: string): string {
    const { code, response, message } = error;
    const hasNoTls = code === 'ETLS' && response !== undefined;
    return this.inOneLine(hasNoTls ? `STARTTLS is refused: ${response}` : (response ?? message), recipient);
  }

  private inOneLine(said: string, recipient?: string): string {
    const { MAIL_URL } = this.settings;
    const secrets = [...(MAIL_URL ? credentialsIn(MAIL_URL) : []), ...this.tokens.secrets];
    return serverWords(said, { secrets, recipient });
  }
}

/** Sends mails without the outbox, which needs the database. */
@Module({ imports: [TextsModule], providers: [MailTransport, MailTokens], exports: [MailTransport] })
export class MailTransportModule {}

function credentialsIn({ username = '', password = '' }: MailServerAddress): string[] {
  return [`\0${username}\0${password}`, password, username].filter((text) => text !== '\0\0');
}

import { Injectable } from '@nestjs/common';
import type { HourlyLimit } from '../../auth/by-mail/mail-limits.js';
import { MailLimits } from '../../auth/by-mail/mail-limits.js';
import { browserInMail } from '../../auth/sessions/browser-in-words.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailComposer } from '../../platform/mail/mails.service.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import type { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { CODE_LIFETIME_MS } from './open-code.entity.js';
import { OpenCodesService } from './open-codes.service.js';
import { RecipientsService } from './recipients.service.js';

/** The kind of these mails in the outbox. */
export const OPEN_CODE = 'push.code';

/**
 * Mails in an hour, which are counted when they are written: only those to an address that the push names. A limit by
 * owner leaves codes for the pushes of others to an address that somebody names in pushes of their own.
 */
const MAX_TO_EMAIL = 40;
const MAX_TO_EMAIL_BY_OWNER = 20;
const MAX_TO_EMAIL_FOR_PUSH = 5;
const MAX_FOR_PUSH = 100;

/** What the mail for a request in the outbox has. */
export interface CodeValues {
  pushId: string;
  email: string;
  language?: Language;
  browser?: string;
  /** Of who asked, as the audit log has it; messages from before this have only the user agent. */
  ip?: string;
  userAgent: string;
  referrer?: string;
  askedAt: number;
}

/** Makes the transaction fail that has counted a mail by some of the limits, when it may not be sent. */
class MailRefused extends Error {}

/** Mails with codes: each is made when its mail is written, if who asked for it is named. */
@Injectable()
export class CodeMails {
  constructor(
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly recipients: RecipientsService,
    private readonly limits: MailLimits,
  ) {}

  @MailComposer(OPEN_CODE)
  async compose(values: CodeValues, { id }: Delivery): Promise<Mail | undefined> {
    const push = await this.pushes.findById(values.pushId);
    if (!push) return undefined; // it was removed meanwhile
    if (this.codes.isNamed(push, values.email)) return this.composeFor(push, values, id);
    await this.recordRefusal(push, values);
    return undefined;
  }

  /** Makes the code when it is sent, so that it is stored only as a digest. Undefined when no mail is to be sent. */
  private async composeFor(push: Push, values: CodeValues, id: string): Promise<Mail | undefined> {
    const { email, language, browser, userAgent, askedAt } = values;
    const now = new Date();
    const asked = new Date(askedAt);
    const until = new Date(askedAt + CODE_LIFETIME_MS);
    if (until <= now) return undefined;
    const countWithin = await this.limits.counterForAll(this.limitsFor(push, email), now);
    try {
      const code = await this.codes.create(
        push.id,
        { id, email, browser, askedAt: asked },
        now,
        async (manager) => {
          if (!(await countWithin(manager))) throw new MailRefused();
        },
      );
      return code === undefined ? undefined : this.mail(email, code, { language, userAgent, asked, until });
    } catch (error) {
      if (error instanceof MailRefused) return undefined;
      throw error;
    }
  }

  /** What counts a mail with a code: those who share the last ones are counted last, so that none waits for another. */
  private limitsFor({ id, userId }: Push, email: string): (HourlyLimit & { subject: string })[] {
    const owner = userId ?? 'nobody';
    const { CODE_MAILS_PER_HOUR: max } = this.settings;
    return [
      { name: 'codes for a push to', subject: `${id} ${email}`, max: MAX_TO_EMAIL_FOR_PUSH },
      { name: 'codes by owner to', subject: `${owner} ${email}`, max: MAX_TO_EMAIL_BY_OWNER },
      { name: 'codes to', subject: email, max: MAX_TO_EMAIL },
      { name: 'codes for', subject: id, max: MAX_FOR_PUSH },
      ...(max > 0 ? [{ name: 'codes by owner', subject: owner, max }] : []),
    ];
  }

  private async recordRefusal(push: Push, values: CodeValues): Promise<void> {
    const { email, ip = '', userAgent, referrer = '', askedAt } = values;
    const visitor = { ip, userAgent, referrer, baseUrl: '' };
    await this.recipients.recordRefusal(push, {
      kind: 'code_refused',
      ...{ email, visitor, now: new Date(askedAt) },
    });
  }

  private mail(
    to: string,
    code: string,
    {
      language,
      userAgent,
      asked,
      until,
    }: { language?: Language; userAgent: string; asked: Date; until: Date },
  ): Mail {
    const t = this.texts.in(language);
    const { OPERATOR_NAME: site = 'Sealpush' } = this.settings;
    return {
      to,
      language: t.language,
      subject: t.text('mail.code.subject', { site }),
      parts: [
        t.text('mail.code.intro', { site, time: t.time(asked), browser: browserInMail(userAgent, t) }),
        { code },
        t.text('mail.code.valid', { time: t.time(until) }),
        t.text('mail.code.caution', { site }),
      ],
    };
  }
}

import { Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import type { HourlyLimit } from '../../auth/by-mail/mail-limits.js';
import { MailLimits } from '../../auth/by-mail/mail-limits.js';
import { clientColumns } from '../../audit/audit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { browserInMail } from '../../auth/sessions/browser-in-words.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailComposer, MailsService } from '../../platform/mail/mails.service.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import { languageOfTag } from '../../texts/languages.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { PushFields } from '../fields/push-fields.js';
import { localeError } from '../fields/list-fields.js';
import { isPlainEmail } from '../../auth/entities/emails.js';
import type { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { refusalError } from '../push/pushes.service.js';
import { CODE_LIFETIME_MS } from './open-code.entity.js';
import { OpenCodesService } from './open-codes.service.js';
import { RecipientsService } from './recipients.service.js';

/** The kind of these mails in the outbox. */
const OPEN_CODE = 'push.code';

/** Requests from a network in an hour, which are all counted. */
const FROM_CLIENT = { name: 'codes from', max: 60 };

/**
 * Mails in an hour, which are counted when they are written: only those to an address that the push names. A limit by
 * owner leaves codes for the pushes of others to an address that somebody names in pushes of their own.
 */
const MAX_TO_EMAIL = 40;
const MAX_TO_EMAIL_BY_OWNER = 20;
const MAX_TO_EMAIL_FOR_PUSH = 5;
const MAX_FOR_PUSH = 100;

/** Who asks for a code. */
export interface AskedCode {
  /** Not validated. */
  email: unknown;
  language?: Language;
  /** As in `RecipientProof`. */
  browser?: string;
}

interface CodeValues {
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

/**
 * Requests for codes by people who say that they are recipients of a push. Whether they are is only checked when the mail
 * is written, after the response: so neither the response nor its time tells. Mails beyond the limits are dropped
 * without saying so. Whoever is not named is in the log of the owner.
 */
@Injectable()
export class CodeRequestsService {
  constructor(
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly recipients: RecipientsService,
    private readonly limits: MailLimits,
    private readonly mails: MailsService,
  ) {}

  /**
   * Asks for a code; returns the email address as it is stored and compared.
   * @throws NotFoundException also when the push has ended, and when it names no recipients
   * @throws ForbiddenException when the visitor cannot open it now
   * @throws UnprocessableEntityException when this is no email address
   * @throws TooManyRequests
   */
  async ask(
    urlToken: string,
    { email: typed, ...asked }: AskedCode,
    visitor: Visitor,
    now = new Date(),
  ): Promise<string> {
    const push = await this.pushes.findIfActive(urlToken, visitor, now);
    if (push.recipients === null || !this.mails.isEnabled) throw new NotFoundException();
    const refusal = push.refusalFor(visitor.ip, now);
    if (refusal) throw refusalError(refusal, now);
    const email = readEmail(typed);
    await this.limits.countClient(visitor.ip, now, FROM_CLIENT);
    const client = clientColumns(visitor, urlToken);
    const values: CodeValues = { pushId: push.id, email, ...asked, ...client, askedAt: now.getTime() };
    await this.unitOfWork.write((tx) => {
      this.mails.add(tx, { kind: OPEN_CODE, userId: null, values }, now);
    });
    return email;
  }

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
        code,
        t.text('mail.code.valid', { time: t.time(until) }),
        t.text('mail.code.caution', { site }),
      ],
    };
  }
}

/**
 * The request for a code in the body of a program.
 * @throws UnprocessableEntityException when there are no texts in the language
 */
export function askedCodeIn({ email, locale }: PushFields): AskedCode {
  const problem = localeError(locale);
  if (problem) throw new UnprocessableEntityException({ locale: [problem] });
  return { email, language: languageOfTag(typeof locale === 'string' ? locale : '') };
}

/** @throws UnprocessableEntityException */
function readEmail(typed: unknown): string {
  const email = typeof typed === 'string' ? User.normalizeEmail(typed) : '';
  if (!isPlainEmail(email)) throw new UnprocessableEntityException({ email: [new Problem('email_invalid')] });
  return email;
}

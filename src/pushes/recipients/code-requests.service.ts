import type { OnModuleInit } from '@nestjs/common';
import { Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { MailLimits } from '../../auth/by-mail/mail-limits.js';
import { User } from '../../auth/entities/user.entity.js';
import { browserInMail } from '../../auth/sessions/browser-in-words.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import { languageOfTag } from '../../texts/languages.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { PushFields } from '../fields/push-fields.js';
import { localeError } from '../fields/list-fields.js';
import { isPlainEmail } from '../../auth/users/emails.js';
import { PushRepository } from '../push/push.repository.js';
import { refusalError } from '../push/pushes.service.js';
import { CODE_LIFETIME_MS } from './open-code.entity.js';
import { OpenCodesService } from './open-codes.service.js';

/** The kind of these mails in the outbox. */
const OPEN_CODE = 'push.code';

/** Requests in an hour, and of these the ones that may cause a mail. */
const FROM_CLIENT = { name: 'codes from', max: 60 };
const TO_EMAIL = { name: 'codes to', max: 20 };
const TO_EMAIL_FOR_PUSH = { name: 'codes for a push to', max: 5 };
const FOR_PUSH = { name: 'codes for', max: 100 };

const MAX_USER_AGENT = 255;

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
  userAgent: string;
  askedAt: number;
}

/**
 * Requests for codes by people who say that they are recipients of a push. Whether they are is only checked when the mail
 * is written, after the response: so neither the response nor its time tells. A request beyond the limits of the email
 * address and of the push is dropped without saying so.
 */
@Injectable()
export class CodeRequestsService implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly limits: MailLimits,
    private readonly mails: MailsService,
  ) {}

  onModuleInit(): void {
    this.mails.setComposer<CodeValues>(OPEN_CODE, (values) => this.compose(values));
  }

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
    const counters = [
      await this.limits.counterFor(`${push.id} ${email}`, now, TO_EMAIL_FOR_PUSH),
      await this.limits.counterFor(email, now, TO_EMAIL),
      await this.limits.counterFor(push.id, now, FOR_PUSH),
    ];
    const userAgent = visitor.userAgent.slice(0, MAX_USER_AGENT);
    const values: CodeValues = { pushId: push.id, email, ...asked, userAgent, askedAt: now.getTime() };
    await this.unitOfWork.run(async (manager) => {
      for (const countWithin of counters) if (!(await countWithin(manager))) return;
      await writeWithin(manager, (tx) => {
        this.mails.add(tx, { kind: OPEN_CODE, userId: null, values }, now);
      });
    });
    return email;
  }

  /** Makes the code when it is sent, so that it is stored only as a digest. Undefined when no mail is to be sent. */
  private async compose({ pushId, email, language, browser, userAgent, askedAt }: CodeValues) {
    const now = new Date();
    const asked = new Date(askedAt);
    const until = new Date(askedAt + CODE_LIFETIME_MS);
    if (until <= now) return undefined;
    const code = await this.codes.create(pushId, { email, browser, askedAt: asked }, now);
    return code === undefined ? undefined : this.mail(email, code, { language, userAgent, asked, until });
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

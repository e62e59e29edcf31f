import { Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { MailLimits } from '../../auth/by-mail/mail-limits.js';
import { clientColumns } from '../../audit/audit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Language } from '../../texts/languages.js';
import { languageOfTag } from '../../texts/languages.js';
import type { PushFields } from '../fields/push-fields.js';
import { localeError } from '../fields/list-fields.js';
import { isPlainEmail } from '../../auth/entities/emails.js';
import type { CodeValues } from './code-mails.js';
import { OPEN_CODE } from './code-mails.js';
import { PushRepository } from '../push/push.repository.js';
import { refusalError } from '../push/pushes.service.js';

/** Requests from a network in an hour, which are all counted. */
const FROM_CLIENT = { name: 'codes from', max: 60 };

/** Who asks for a code. */
export interface AskedCode {
  /** Not validated. */
  email: unknown;
  language?: Language;
  /** As in `RecipientCredentials`. */
  browser?: string;
}

/**
 * Requests for codes by people who say that they are recipients of a push. Whether they are is only checked when the mail
 * is written, after the response: so neither the response nor its time tells. Mails beyond the limits are dropped
 * without saying so. Whoever is not named is in the log of the owner.
 */
@Injectable()
export class CodeRequestsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
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

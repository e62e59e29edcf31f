import { writeWithin } from '../../platform/database/statements/statements.js';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Language } from '../../texts/languages.js';
import { User } from '../entities/user.entity.js';
import { ACCOUNT_MAILS } from '../notices/account-mail-kinds.js';
import { MailLimits } from './mail-limits.js';

/** Who asks for a mail, and when. */
export interface Requester {
  /** The client address. */
  ip: string;
  language: Language;
  now?: Date;
}

/**
 * Requests for mails with links. No account is looked up here but when the mail is written, after the response: so
 * neither the response nor its time tells who has an account. A request beyond the limit of the email address is
 * dropped without saying so.
 */
@Injectable()
export class MailRequestsService {
  constructor(
    private readonly limits: MailLimits,
    private readonly mails: MailsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Asks for the link that creates an account.
   * @throws TooManyRequests
   */
  signUp(email: string, requester: Requester, next?: string): Promise<void> {
    return this.request(ACCOUNT_MAILS.signUp, null, email, requester, next);
  }

  /**
   * Asks for the link that sets a new password.
   * @throws TooManyRequests
   */
  newPassword(email: string, requester: Requester): Promise<void> {
    return this.request(ACCOUNT_MAILS.newPassword, null, email, requester);
  }

  /**
   * Asks for the link that makes this the verified email address of an account; it may be its email address already.
   * @throws TooManyRequests
   */
  email({ id }: User, email: string, requester: Requester): Promise<void> {
    return this.request(ACCOUNT_MAILS.email, id, email, requester);
  }

  /**
   * Asks for the link by which the owner of an account joins an identity to it.
   * @throws TooManyRequests
   */
  join({ id, email }: User, requester: Requester, next: string): Promise<void> {
    return this.request(ACCOUNT_MAILS.join, id, email, requester, next);
  }

  private async request(
    kind: string,
    userId: string | null,
    typed: string,
    { ip, language, now = new Date() }: Requester,
    next?: string,
  ): Promise<void> {
    const email = User.normalizeEmail(typed);
    await this.limits.countClient(ip, now);
    const countWithin = await this.limits.counterFor(email, now);
    await this.unitOfWork.run(async (manager) => {
      if (await countWithin(manager))
        await writeWithin(manager, (tx) => {
          this.mails.add(tx, { kind, userId, values: { email, language, next } }, now);
        });
    });
  }
}

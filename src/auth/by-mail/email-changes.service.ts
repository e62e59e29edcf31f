import { Injectable } from '@nestjs/common';
import { MailsService } from '../../platform/mail/mails.service.js';
import { OwnAccountService } from '../sign-in/own-account.service.js';
import type { User } from '../entities/user.entity.js';
import type { Requester } from './mail-requests.service.js';
import { MailRequestsService } from './mail-requests.service.js';

/** Changes of the email address by the owner of an account. */
@Injectable()
export class EmailChangesService {
  constructor(
    private readonly mails: MailsService,
    private readonly requests: MailRequestsService,
    private readonly ownAccount: OwnAccountService,
  ) {}

  /**
   * Changes the email address, or, where mail is sent, sends a link to the new one, with which it is changed; the
   * result is then the same whether another account has it or not. Returns which of the two was done.
   * @throws AccountError when the email address is not acceptable, or taken where no mail is sent
   * @throws TooManyRequests
   */
  async change(user: User, email: string, requester: Requester): Promise<'email' | 'email_sent'> {
    if (this.mails.isEnabled) {
      await this.requests.email(user, email, requester);
      return 'email_sent';
    }
    await this.ownAccount.changeEmail(user, email, requester.ip, requester.now);
    return 'email';
  }
}

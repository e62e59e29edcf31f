import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { writeWithin } from '../../platform/database/statements/statements.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Language } from '../../texts/languages.js';
import type { User } from '../entities/user.entity.js';
import type { AccountNotice, AccountNoticeValues, NamedTime } from './account-mail-kinds.js';
import { ACCOUNT_MAILS } from './account-mail-kinds.js';

/**
 * Mails that tell the owner of an account about a change, to the email address that it has before the change. An
 * account whose email address nobody has verified gets none: the email address may be a stranger's.
 */
@Injectable()
export class AccountNotices {
  constructor(private readonly mails: MailsService) {}

  /**
   * Adds one in the transaction of the change.
   * @param language of the request that made the change; commands have none
   */
  async addWithin(
    manager: EntityManager,
    { id: userId, email: to, emailUnverified }: Pick<User, 'id' | 'email' | 'emailUnverified'>,
    notice: AccountNotice,
    language: Language = 'en',
    now = new Date(),
    about?: NamedTime,
  ): Promise<void> {
    if (!this.mails.isEnabled || emailUnverified) return;
    const values: AccountNoticeValues = { notice, to, language, ...(about && { about }) };
    await writeWithin(manager, (tx) => {
      this.mails.add(tx, { kind: ACCOUNT_MAILS.notice, userId, values }, now);
    });
  }
}

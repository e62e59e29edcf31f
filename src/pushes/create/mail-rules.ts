import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { canBeMailed } from '../../auth/users/can-be-mailed.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { isBlankList, NOT_FOR_UNKNOWN_USERS, refusalOf } from '../link-mails/recipients.js';
import type { NoticeEvent } from '../push/notice-events.js';
import { noticeEvents } from '../push/notice-events.js';
import type { PushFields } from '../fields/push-fields.js';
import { Problem } from '../../platform/errors/problem.js';

/** A push without an account asks for mails. */
export class MailsNeedAccount extends UnprocessableEntityException {}

/** Who may have mails about a push sent. */
@Injectable()
export class MailRules {
  constructor(private readonly mails: MailsService) {}

  /**
   * Checks whether a push may ask for mails.
   * @throws MailsNeedAccount when it does and has no account
   * @throws UnprocessableEntityException when its account may not ask for any
   */
  assertAllowed(fields: PushFields, user: User | undefined): void {
    const { notify_emails_to, notify_on } = fields;
    const named = Object.entries({ notify_emails_to, notify_on }).filter(([, value]) => !isBlankList(value));
    if (!this.mails.isEnabled || named.length === 0) return;
    const errors = (problem: Problem) => Object.fromEntries(named.map(([field]) => [field, [problem]]));
    if (!user) {
      const ofRecipients = isBlankList(notify_emails_to) ? {} : refusalOf(fields, NOT_FOR_UNKNOWN_USERS);
      throw new MailsNeedAccount({ ...errors(NOT_FOR_UNKNOWN_USERS.emails), ...ofRecipients });
    }
    if (!canBeMailed(user))
      throw new UnprocessableEntityException(errors(new Problem('mails_need_verified_email')));
  }

  /** The events about which an account gets mails when a push does not say; undefined when it gets none at all. */
  defaultNotices(user: User | undefined): NoticeEvent[] | undefined {
    return this.mails.isEnabled && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : undefined;
  }
}

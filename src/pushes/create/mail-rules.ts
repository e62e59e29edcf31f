import { Injectable, UnauthorizedException, UnprocessableEntityException } from '@nestjs/common';
import { canBeMailed, NOT_VERIFIED } from '../../auth/users/can-be-mailed.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MailsService } from '../../mail/mails.service.js';
import { isBlankList } from '../link-mails/recipients.js';
import type { NoticeEvent } from '../push/notice-events.js';
import { noticeEvents } from '../push/notice-events.js';
import type { PushFields } from '../fields/push-fields.js';

/** What a push asks for is rejected, because its client must not wait for mails that are never sent. */
export const NOT_AVAILABLE = 'are not available';

/** A push without an account asks for mails. */
export class MailsNeedAccount extends UnauthorizedException {
  constructor() {
    super('Mails need a valid API token.');
  }
}

/** Who may have mails about a push sent. */
@Injectable()
export class MailRules {
  constructor(private readonly mails: MailsService) {}

  /**
   * Checks whether a push may ask for mails.
   * @throws MailsNeedAccount when it does and has no account
   * @throws UnprocessableEntityException when its account may not ask for any
   */
  assertAllowed({ notify_emails_to, notify_on }: PushFields, user: User | undefined): void {
    const named = Object.entries({ notify_emails_to, notify_on }).filter(([, value]) => !isBlankList(value));
    if (!this.mails.isEnabled || named.length === 0) return;
    if (!user) throw new MailsNeedAccount();
    if (!canBeMailed(user)) {
      const errors = named.map(([field]) => [field, [NOT_VERIFIED]]);
      throw new UnprocessableEntityException(Object.fromEntries(errors));
    }
  }

  /** The events about which an account gets mails when a push does not say; undefined when it gets none at all. */
  defaultNotices(user: User | undefined): NoticeEvent[] | undefined {
    return this.mails.isEnabled && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : undefined;
  }
}

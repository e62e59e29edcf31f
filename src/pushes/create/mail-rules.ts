import { Injectable, UnauthorizedException, UnprocessableEntityException } from '@nestjs/common';
import { canBeMailed } from '../../auth/can-be-mailed.js';
import type { User } from '../../auth/user.entity.js';
import { Mails } from '../../mail/mails.service.js';
import { isNothing } from '../link-mails/recipients.js';
import type { NoticeEvent } from '../notices/notice-events.js';
import { noticeEvents } from '../notices/notice-events.js';
import type { PushFields } from './push-fields.js';

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
  constructor(private readonly mails: Mails) {}

  /** Whether this instance sends mails. If not, a push that asks for some is rejected: its client must not wait for any. */
  get areSent(): boolean {
    return this.mails.areSent;
  }

  /**
   * Checks whether a push may ask for mails.
   * @throws MailsNeedAccount when it does and has no account
   * @throws UnprocessableEntityException when its account gets none
   */
  assertAllowed({ notify_emails_to, notify_on }: PushFields, user: User | undefined): void {
    if (!this.areSent || (isNothing(notify_emails_to) && isNothing(notify_on))) return;
    if (!user) throw new MailsNeedAccount();
    if (!isNothing(notify_on) && !canBeMailed(user)) {
      throw new UnprocessableEntityException({ notify_on: [NOT_AVAILABLE] });
    }
  }

  /** The events about which an account gets mails when a push does not say; undefined when it gets none at all. */
  defaultNotices(user: User | undefined): NoticeEvent[] | undefined {
    return this.areSent && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : undefined;
  }
}

import { Injectable, UnauthorizedException, UnprocessableEntityException } from '@nestjs/common';
import { canBeMailed } from '../../auth/can-be-mailed.js';
import type { User } from '../../auth/user.entity.js';
import { Mails } from '../../mail/mails.service.js';
import { isNothing } from '../link-mails/recipients.js';
import type { NoticeEvent } from '../notices/notice-events.js';
import { noticeEvents } from '../notices/notice-events.js';
import type { PushFields } from './push-fields.js';

/** What a push asks for is rejected, because its client must not wait for mails that are never sent. */
export const NOT_AVAILABLE = 'are not available';

/** Who may have mails about a push sent. */
@Injectable()
export class MailRules {
  constructor(private readonly mails: Mails) {}

  /**
   * Checks whether a push may ask for mails.
   * @throws UnauthorizedException when it does and has no account
   * @throws UnprocessableEntityException when its account gets none
   */
  assertAllowed({ notify_emails_to, notify_on }: PushFields, user: User | undefined): void {
    if (!this.mails.areSent || (isNothing(notify_emails_to) && isNothing(notify_on))) return;
    if (!user) throw new UnauthorizedException('Mails need a valid API token.');
    if (!isNothing(notify_on) && !canBeMailed(user)) {
      throw new UnprocessableEntityException({ notify_on: [NOT_AVAILABLE] });
    }
  }

  /** The events about which an account gets mails when a push does not say. */
  defaultNotices(user: User | undefined): NoticeEvent[] {
    return this.mails.areSent && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : [];
  }
}

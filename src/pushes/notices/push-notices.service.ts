import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { canBeMailed } from '../../auth/users/can-be-mailed.js';
import { User } from '../../auth/entities/user.entity.js';
import type { NewRow } from '../../platform/database/transactions/write.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Push } from '../push/push.entity.js';
import type { PushEvent } from '../push/push-events.js';
import { PushExpired, PushRetrieved } from '../push/push-events.js';
import type { PushNotifier } from '../push/push-notifiers.js';
import { PushNotifiers } from '../push/push-notifiers.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import type { PushNotice } from './compose-notice.js';
import { composeNotice } from './compose-notice.js';
import { hasNotice } from '../push/notice-events.js';

const KIND = 'push.notice';
const VIEWS = ['first_view', 'each_view'] as const;

/** What a mail in the outbox has: the times are ISO 8601. */
interface NoticeValues {
  pushId: string;
  createdAt: string;
  event: PushNotice['event'];
  at: string;
}

/** Mails to the owner of a push about what happens to it. They never go to anybody else. */
@Injectable()
export class PushNoticesService implements PushNotifier, OnModuleInit {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly settings: Settings,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly mails: MailsService,
    private readonly notifiers: PushNotifiers,
  ) {}

  onModuleInit(): void {
    this.mails.setComposer<NoticeValues>(KIND, (values, { userId }) => this.compose(values, userId));
    this.notifiers.add(this);
  }

  wants(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean {
    return this.mails.isEnabled && noticeOf(event, push) !== undefined;
  }

  rowsFor(event: PushEvent, push: Push, now: Date): NewRow[] {
    const notice = noticeOf(event, push);
    return notice ? [this.newRow(push, notice, event.at, now)] : [];
  }

  /** About a wrong passphrase there is at most one mail an hour, so it is not among the reports of single events. */
  rowsAboutPassphrase(push: Push, now: Date): NewRow[] {
    return this.mails.isEnabled ? [this.newRow(push, 'failed_passphrase', now, now)] : [];
  }

  private newRow({ id, userId, createdAt }: Push, event: PushNotice['event'], at: Date, now: Date): NewRow {
    const times = { at: at.toISOString(), createdAt: createdAt.toISOString() };
    const values: NoticeValues = { pushId: id, event, ...times };
    return this.mails.newRow({ kind: KIND, userId, values }, now);
  }

  private async compose(
    { pushId, ...values }: NoticeValues,
    userId: string | null,
  ): Promise<Mail | undefined> {
    const owner = userId === null ? null : await this.usersRepository.findOneBy({ id: userId });
    if (!owner || !canBeMailed(owner)) return undefined;
    const push = await this.pushes.findById(pushId); // null when it has been removed meanwhile
    const name = push?.isOwnedBy(owner.id) ? this.pushSeal.unsealOwnerFields(push).name : '';
    const notice = { ...values, name, at: new Date(values.at), createdAt: new Date(values.createdAt) };
    return composeNotice(notice, owner, this.settings);
  }
}

/** What the owner of the push wants to know about the event. */
function noticeOf(event: PushEvent, { notifyOn }: Pick<Push, 'notifyOn'>): PushNotice['event'] | undefined {
  if (event instanceof PushRetrieved && !event.byOwner)
    return VIEWS.some((name) => hasNotice(notifyOn, name)) ? 'view' : undefined;
  if (event instanceof PushExpired && event.by === 'days')
    return hasNotice(notifyOn, 'ended_unseen') ? 'ended_unseen' : undefined;
  return undefined;
}

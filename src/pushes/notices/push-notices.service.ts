import { Injectable } from '@nestjs/common';
import { canBeMailed } from '../../auth/entities/emails.js';
import { UsersService } from '../../auth/users/users.service.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailComposer, MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import type { Push } from '../push/push.entity.js';
import type { PushEvent } from '../push/push-events.js';
import { PushNotifier, PushExpired, PushRetrieved } from '../push/push-events.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { hasNotice } from '../push/notice-events.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { Translator } from '../../texts/translator.js';

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
@PushNotifier()
export class PushNoticesService implements PushNotifier {
  constructor(
    private readonly users: UsersService,
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly mails: MailsService,
  ) {}

  get isEnabled(): boolean {
    return this.mails.isEnabled;
  }

  wants(event: PushEvent, push: Pick<Push, 'notifyOn'>): boolean {
    return noticeOf(event, push) !== undefined;
  }

  notify(tx: Transaction, event: PushEvent, push: Push, now: Date): void {
    const notice = noticeOf(event, push);
    if (notice) this.add(tx, push, notice, event.at, now);
  }

  /**
   * Whether a mail about a wrong passphrase is due: there is at most one an hour, so it is not among the messages about
   * single events.
   */
  isPassphraseNoticeDue(push: Push, visitor: Visitor, now: Date): boolean {
    return this.mails.isEnabled && push.isPassphraseNoticeDue(now) && !push.isOwnedBy(visitor.userId);
  }

  /** Adds that mail. The transaction is aborted if another one did so first. */
  addPassphraseNotice(tx: Transaction, push: Push, now: Date): void {
    this.pushes.recordPassphraseNoticeOrAbort(tx, push, now);
    this.add(tx, push, 'failed_passphrase', now, now);
  }

  private add(
    tx: Transaction,
    { id, userId, createdAt }: Push,
    event: PushNotice['event'],
    at: Date,
    now: Date,
  ): void {
    const times = { at: at.toISOString(), createdAt: createdAt.toISOString() };
    const values: NoticeValues = { pushId: id, event, ...times };
    this.mails.add(tx, { kind: KIND, userId, values }, now);
  }

  @MailComposer(KIND)
  async compose({ pushId, ...values }: NoticeValues, { userId }: Delivery): Promise<Mail | undefined> {
    const owner = userId === null ? null : await this.users.find(userId);
    if (!owner || !canBeMailed(owner)) return undefined;
    const push = await this.pushes.findById(pushId); // null when it has been removed meanwhile
    const name = push?.isOwnedBy(owner.id) ? this.pushSeal.unsealOwnerFields(push).name : '';
    const notice = { ...values, name, at: new Date(values.at), createdAt: new Date(values.createdAt) };
    return composeNotice(notice, owner, this.settings, this.texts.in(owner.language));
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

/** What the owner of a push is told. */
interface PushNotice {
  event: 'view' | 'failed_passphrase' | 'ended_unseen';
  at: Date;
  /** The owner's name for the push; empty when it has none, or it has been removed. */
  name: string;
  createdAt: Date;
}

const TEXTS: Record<PushNotice['event'], { subject: TextKey; text: TextKey; list: string }> = {
  view: { subject: 'mail.viewed.subject', text: 'mail.viewed.text', list: '/pushes' },
  failed_passphrase: { subject: 'mail.passphrase.subject', text: 'mail.passphrase.text', list: '/pushes' },
  ended_unseen: { subject: 'mail.unseen.subject', text: 'mail.unseen.text', list: '/pushes/expired' },
};

/** The mail to the owner. It links to the list, because the page of the push has its link in its address. */
export function composeNotice(
  notice: PushNotice,
  { email }: User,
  { OPERATOR_NAME: site = 'Sealpush', PUBLIC_URL = '' }: Settings,
  t: Translator,
): Mail {
  const { subject, text, list } = TEXTS[notice.event];
  return {
    to: email,
    language: t.language,
    subject: t.text(subject, { site }),
    parts: [
      nameOf(notice, t),
      t.text(text, { time: t.time(notice.at) }),
      { url: `${PUBLIC_URL}${list}`, label: t.text('mail.notice.label') },
      t.text('mail.notice.why'),
    ],
  };
}

function nameOf({ name, createdAt }: PushNotice, t: Translator): string {
  const time = t.time(createdAt);
  return name === '' ? t.text('mail.notice.unnamed', { time }) : t.text('mail.notice.named', { name, time });
}

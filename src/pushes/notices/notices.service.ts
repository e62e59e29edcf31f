import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { canBeMailed } from '../../auth/can-be-mailed.js';
import { User } from '../../auth/user.entity.js';
import type { NewRow } from '../../database/write.js';
import type { Mail } from '../../mail/mail.js';
import { Mails } from '../../mail/mails.service.js';
import { Settings } from '../../settings/settings.js';
import type { Push } from '../push.entity.js';
import { PushRepository } from '../push.repository.js';
import { PushSeal } from '../push-seal.js';
import type { Notice } from './compose-notice.js';
import { composeNotice } from './compose-notice.js';

const KIND = 'push.notice';

/** What a mail in the outbox has: the times are ISO 8601. */
interface NoticeValues {
  pushId: string;
  createdAt: string;
  event: Notice['event'];
  at: string;
  ip?: string;
}

/** Mails to the owner of a push about what happens to it. They never go to anybody else. */
@Injectable()
export class Notices implements OnModuleInit {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly settings: Settings,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly mails: Mails,
  ) {}

  onModuleInit(): void {
    this.mails.onCompose<NoticeValues>(KIND, (values, { userId }) => this.compose(values, userId));
  }

  /** A mail to be committed together with its event; none when this instance sends no mails any more. */
  newRows(
    { id: pushId, userId, createdAt }: Pick<Push, 'id' | 'userId' | 'createdAt'>,
    { event, at, ip }: Pick<Notice, 'event' | 'at' | 'ip'>,
    now = at,
  ): NewRow[] {
    if (!this.mails.areSent) return [];
    const values: NoticeValues = {
      pushId,
      createdAt: createdAt.toISOString(),
      event,
      at: at.toISOString(),
      ip,
    };
    return [this.mails.newRow({ kind: KIND, userId, values }, now)];
  }

  wake(): void {
    this.mails.wake();
  }

  private async compose(
    { pushId, ...values }: NoticeValues,
    userId: string | null,
  ): Promise<Mail | undefined> {
    const owner = userId === null ? null : await this.users.findOneBy({ id: userId });
    if (!owner || !canBeMailed(owner)) return undefined;
    const push = await this.pushes.findById(pushId); // null when it has been removed meanwhile
    const name = push?.isOwnedBy(owner.id) ? this.pushSeal.unsealOwnerFields(push).name : '';
    const notice = { ...values, name, at: new Date(values.at), createdAt: new Date(values.createdAt) };
    return composeNotice(notice, owner, this.settings);
  }
}

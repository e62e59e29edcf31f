import { ForbiddenException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { InjectRepository } from '@nestjs/typeorm';
import type { Mail } from 'sealpush';
import {
  AccountDeleted,
  canBeMailed,
  InstanceAudit,
  Job,
  MailComposer,
  MailsService,
  OnAccountRemoval,
  PushCreated,
  TextsService,
  UnitOfWork,
  User,
  writeWithin,
} from 'sealpush';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { UsageCount } from './usage-count.entity.js';
import { USAGE, USAGE_MAILED, UsageProblem } from './usage.texts.js';

/** The kind of its mails. */
const MAIL = 'usage';

@Injectable()
export class UsageService {
  private pushes = 0;
  private deletedAccounts = 0;

  constructor(
    @InjectRepository(UsageCount) private readonly counts: Repository<UsageCount>,
    private readonly unitOfWork: UnitOfWork,
    private readonly mails: MailsService,
    private readonly texts: TextsService,
    private readonly audit: InstanceAudit,
  ) {}

  async pushesOf(userId: string): Promise<number> {
    return (await this.counts.findOneBy({ userId }))?.pushes ?? 0;
  }

  /** The pushes are those of the last run of the job, the accounts those deleted since the start of this process. */
  total(): { pushes: number; deletedAccounts: number } {
    return { pushes: this.pushes, deletedAccounts: this.deletedAccounts };
  }

  @Job({ name: 'usage total', title: USAGE.total, every: '*/5 * * * * *' })
  async addUp(): Promise<void> {
    this.pushes = (await this.counts.sum('pushes')) ?? 0;
  }

  maySend(user: User): boolean {
    return this.mails.isEnabled && canBeMailed(user);
  }

  async send(user: User, now = new Date()): Promise<void> {
    if (!this.maySend(user)) throw new ForbiddenException();
    if ((await this.pushesOf(user.id)) === 0)
      throw new UnprocessableEntityException({ base: [new UsageProblem('usage_is_zero')] });
    await this.unitOfWork.run(async (manager) => {
      await writeWithin(manager, (tx) => {
        this.mails.add(tx, { kind: MAIL, userId: user.id, values: { userId: user.id } }, now);
      });
      await this.audit.recordWithin(manager, USAGE_MAILED, { subject: user });
    });
  }

  @MailComposer(MAIL)
  async compose({ userId }: { userId: string }): Promise<Mail | undefined> {
    const user = await this.counts.manager.findOneBy(User, { id: userId });
    if (!user) return undefined; // deleted in the meantime
    const t = this.texts.in(user.language);
    const count = await this.pushesOf(userId);
    return {
      to: user.email,
      language: t.language,
      subject: t.text(USAGE.title),
      parts: [t.text(USAGE.pushes, { count })],
    };
  }

  @OnEvent(PushCreated.eventName)
  async count({ userId }: PushCreated): Promise<void> {
    if (userId === null) return; // created without an account
    await this.unitOfWork.run(async (manager) => {
      const isThere = await this.unitOfWork.findForUpdate(manager, User, { id: userId });
      if (!isThere) return; // deleted in the meantime, with its count
      const counted = await manager.findOneBy(UsageCount, { userId });
      await manager.save(UsageCount, { userId, pushes: (counted?.pushes ?? 0) + 1 });
    });
  }

  @OnAccountRemoval()
  async removeWithin(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(UsageCount, { userId });
  }

  @OnEvent(AccountDeleted.eventName)
  countDeletion(): void {
    this.deletedAccounts += 1;
  }
}

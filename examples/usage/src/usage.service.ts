import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { InjectRepository } from '@nestjs/typeorm';
import { AccountDeleted, OnAccountRemoval, PushCreated, UnitOfWork, User } from 'sealpush';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { UsageCount } from './usage-count.entity.js';

@Injectable()
export class UsageService {
  private deletedAccounts = 0;

  constructor(
    @InjectRepository(UsageCount) private readonly counts: Repository<UsageCount>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async pushesOf(userId: string): Promise<number> {
    return (await this.counts.findOneBy({ userId }))?.pushes ?? 0;
  }

  /** The accounts are those that were deleted since the start of this process. */
  async total(): Promise<{ pushes: number; deletedAccounts: number }> {
    return { pushes: (await this.counts.sum('pushes')) ?? 0, deletedAccounts: this.deletedAccounts };
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

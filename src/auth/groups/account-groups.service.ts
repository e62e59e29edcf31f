import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, Repository } from 'typeorm';
import { unlessDuplicate } from '../../platform/database/errors/database-error.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId } from '../../platform/random/random.js';
import type { GroupRules } from '../entities/account-group.entity.js';
import { AccountGroup } from '../entities/account-group.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';

const MAX_GROUPS = 100;
/** Accounts that one transaction moves to another group. */
const BATCH = 500;

/** The groups of accounts, which administrators create, change and delete. An account is in one at most. */
@Injectable()
export class AccountGroupsService {
  constructor(
    @InjectRepository(AccountGroup) private readonly groups: Repository<AccountGroup>,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  /** All groups by their names, of which there are few. */
  list(): Promise<AccountGroup[]> {
    return this.groups.find({ order: { name: 'ASC' }, take: MAX_GROUPS });
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<AccountGroup> {
    const group = await this.groups.findOneBy({ id });
    if (group?.id !== id) throw new NotFoundException();
    return group;
  }

  /** The group of an account as it is now; undefined without one, which needs no query. */
  async of({ id, groupId }: User): Promise<AccountGroup | undefined> {
    if (groupId === null) return undefined;
    const query = this.groups.createQueryBuilder('g').innerJoin(User, 'u', 'u.groupId = g.id');
    return (await query.where('u.id = :id', { id }).getOne()) ?? undefined;
  }

  /** @throws AccountError when there are too many groups, or one has this name */
  async create(rules: GroupRules, now = new Date()): Promise<AccountGroup> {
    if ((await this.groups.count()) >= MAX_GROUPS)
      throw new AccountError(new Problem('too_many_groups', { count: MAX_GROUPS }));
    const group: AccountGroup = { ...rules, id: newId(), createdAt: now };
    await orNameTaken(
      this.unitOfWork.run(async (manager) => {
        await manager.insert(AccountGroup, group);
        await this.audit.recordWithin(manager, 'group_created', { details: { group: group.name } });
      }),
    );
    return group;
  }

  /** @throws AccountError when another group has this name */
  async change({ id }: AccountGroup, rules: GroupRules): Promise<void> {
    await orNameTaken(
      this.unitOfWork.run(async (manager) => {
        await manager.update(AccountGroup, { id }, rules);
        await this.audit.recordWithin(manager, 'group_changed', { details: { group: rules.name } });
      }),
    );
  }

  /** Puts an account into a group, or into none. */
  async assign(user: User, group: AccountGroup | null): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      if (group) await this.lockWithin(manager, [group]);
      await manager.update(User, { id: user.id }, { groupId: group?.id ?? null });
      const details = { group: group?.name ?? '' };
      await this.audit.recordWithin(manager, 'account_group_changed', { subject: user, details });
    });
  }

  /** Deletes a group, after its accounts are moved to another one, or to none. */
  async delete(group: AccountGroup, successor: AccountGroup | null): Promise<void> {
    let isDeleted = false;
    while (!isDeleted)
      isDeleted = await this.unitOfWork.run(async (manager) => {
        await this.lockWithin(manager, successor ? [group, successor] : [group]);
        if ((await this.moveWithin(manager, group, successor)) === BATCH) return false;
        await manager.delete(AccountGroup, { id: group.id });
        const details = { group: group.name, successor: successor?.name };
        await this.audit.recordWithin(manager, 'group_deleted', { details });
        return true;
      });
  }

  /** Moves some of the accounts of a group. Returns how many. */
  private async moveWithin(
    manager: EntityManager,
    group: AccountGroup,
    successor: AccountGroup | null,
  ): Promise<number> {
    const where = { groupId: group.id };
    const members = await manager.find(User, { select: { id: true }, where, take: BATCH });
    const ids = members.map(({ id }) => id);
    if (ids.length > 0)
      await manager.update(User, { id: In(ids), ...where }, { groupId: successor?.id ?? null });
    return ids.length;
  }

  /**
   * Keeps the groups from being deleted until the transaction ends.
   * @throws NotFoundException when one does not exist any more
   */
  private async lockWithin(manager: EntityManager, groups: AccountGroup[]): Promise<void> {
    const ids = groups.map(({ id }) => id);
    const locked = await this.unitOfWork.findAllForUpdate(manager, AccountGroup, { id: In(ids) });
    if (locked.length < ids.length) throw new NotFoundException();
  }
}

function orNameTaken<T>(change: Promise<T>): Promise<T> {
  return unlessDuplicate(change, () => new AccountError(new Problem('group_name_taken')));
}

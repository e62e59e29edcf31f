import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import { AccountError } from '../errors/account-error.js';
import { AdministratorsState, ADMINISTRATORS_STATE } from '../entities/administrators-state.entity.js';
import { SignInProviders } from '../sessions/sign-in-provider.js';
import { AccountNotices } from '../notices/account-notices.js';
import { User } from '../entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** What may be done to an administrator: the operator's commands may leave none, the pages may not. */
export interface AdministratorRule {
  mayBeLast?: boolean;
}

/**
 * Decides who is an administrator. Each change first writes the row that all changes share, so that they run one after
 * the other on every engine, also on different nodes of a cluster.
 */
@Injectable()
export class AdministratorsService {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly settings: Settings,
    private readonly providers: SignInProviders,
  ) {}

  exist(): Promise<boolean> {
    return this.usersRepository.existsBy({ administrator: true });
  }

  existWithin(manager: EntityManager): Promise<boolean> {
    return manager.existsBy(User, { administrator: true });
  }

  /** @throws AccountError when it would be the only administrator and could not sign in */
  async promote(account: NamedAccount, language?: Language): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await this.promoteWithin(manager, account);
      const user = await manager.findOneBy(User, { id: account.id });
      if (user) await this.notices.addWithin(manager, user, 'administrator', language);
    });
  }

  /** The same within the transaction of `manager`. From then on there is nothing to set up, so the code ends. */
  async promoteWithin(manager: EntityManager, account: NamedAccount): Promise<void> {
    const { id } = account;
    await this.lockWithin(manager);
    if (
      !(await this.canAnySignInWithin(manager, { id })) &&
      !(await this.canAnySignInWithin(manager, { administrator: true }))
    )
      throw new AccountError(new Problem('administrator_needs_password'));
    await manager.update(AdministratorsState, ADMINISTRATORS_STATE, { setupKeyId: null, setupCode: null });
    const { affected } = await manager.update(User, { id, administrator: false }, { administrator: true });
    if (affected === 1) await this.audit.recordWithin(manager, 'administrator_added', { subject: account });
  }

  /** @throws AccountError when no other administrator could sign in */
  async demote(account: NamedAccount, rule?: AdministratorRule): Promise<void> {
    const { id } = account;
    await this.unitOfWork.run(async (manager) => {
      await this.checkOthersRemainWithin(manager, id, rule);
      const { affected } = await manager.update(User, { id, administrator: true }, { administrator: false });
      if (affected === 1)
        await this.audit.recordWithin(manager, 'administrator_removed', { subject: account });
    });
  }

  /**
   * For changes that take the rights of an account or prevent it from signing in.
   * @throws AccountError when no other administrator could sign in
   */
  async checkOthersRemainWithin(
    manager: EntityManager,
    id: string,
    { mayBeLast = false }: AdministratorRule = {},
  ): Promise<void> {
    await this.lockWithin(manager);
    if (mayBeLast || !(await manager.existsBy(User, { id, administrator: true }))) return;
    if (!(await this.canAnySignInWithin(manager, { administrator: true, disabledAt: IsNull(), id: Not(id) })))
      throw new AccountError(new Problem('last_administrator'));
  }

  /** No other transaction changes who is an administrator until this one ends. */
  async lockWithin(manager: EntityManager): Promise<void> {
    await manager.increment(AdministratorsState, { id: ADMINISTRATORS_STATE }, 'changes', 1);
  }

  /** In several statements, because MySQL may scan the table for one with OR. */
  private async canAnySignInWithin(manager: EntityManager, where: FindOptionsWhere<User>): Promise<boolean> {
    const { PASSWORD_SIGN_IN } = this.settings;
    const ways: FindOptionsWhere<User>[] = [
      ...(PASSWORD_SIGN_IN === 'none' ? [] : [{ passwordHash: Not(IsNull()) }]),
      ...(this.providers.name === undefined ? [] : [{ providerSignInAt: Not(IsNull()) }]),
    ];
    for (const way of ways) if (await manager.existsBy(User, { ...where, ...way })) return true;
    return false;
  }
}

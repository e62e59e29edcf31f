import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { batchesById } from '../../platform/database/in-batches.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { findUncountedPage } from '../../platform/http/paging/find-page.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { Language } from '../../texts/languages.js';
import { AccountError } from '../errors/account-error.js';
import type { AdministratorRule } from './administrators.service.js';
import { AdministratorsService } from './administrators.service.js';
import { AccountNotices } from '../notices/account-notices.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { User } from '../entities/user.entity.js';
import { UsersService } from './users.service.js';
import { Problem } from '../../platform/errors/problem.js';

const BATCH = 1000;
/** Used as the IP address of the client for commands, which have none. */
const NO_CLIENT_IP = '';

/** Which accounts a list can be limited to. */
const FILTERS = {
  administrators: { administrator: true },
  without_second_factor: { hasSecondFactor: false, disabledAt: IsNull() },
  disabled: { disabledAt: Not(IsNull()) },
} satisfies Record<string, FindOptionsWhere<User>>;

export type AccountFilter = keyof typeof FILTERS;
export const ACCOUNT_FILTERS = Object.keys(FILTERS) as AccountFilter[];

/** The operations of the operator and of administrators on the accounts of users. */
@Injectable()
export class AccountAdministration {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly administrators: AdministratorsService,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  /** @throws AccountError when there is no account with this email address */
  async find(email: string): Promise<User> {
    const user = await this.users.findByEmail(email);
    if (!user) throw new AccountError(new Problem('account_unknown'));
    return user;
  }

  /**
   * Finds an account to hand something out for: a token, or the rights of an administrator.
   * @param isOwnerKnown whether the operator knows whose account it is
   * @throws AccountError when there is none, or it was created by signing up and `isOwnerKnown` is false
   */
  async findWithKnownOwner(email: string, isOwnerKnown: boolean): Promise<User> {
    const user = await this.find(email);
    if (user.emailUnverified && !isOwnerKnown) throw new AccountError(new Problem('account_owner_unknown'));
    return user;
  }

  /** A page of all accounts, or of some of them, newest first. */
  list(page: ListPage, filter?: AccountFilter): Promise<UncountedPage<User>> {
    const accounts = this.usersRepository.createQueryBuilder('account').orderBy('account.id', 'DESC');
    return findUncountedPage(filter ? accounts.where(FILTERS[filter]) : accounts, page);
  }

  /** @throws NotFoundException */
  async findById(id: string): Promise<User> {
    const user = await this.usersRepository.findOneBy({ id });
    if (user?.id !== id) throw new NotFoundException();
    return user;
  }

  /** All accounts, oldest first. */
  async *all(): AsyncGenerator<User> {
    for await (const batch of batchesById(this.usersRepository.manager, User, BATCH, { after: '' }))
      yield* batch;
  }

  /**
   * Sets the password and ends every session.
   * @throws AccountError when the password is not acceptable
   */
  async setPassword(user: User, password: string): Promise<void> {
    const hash = await this.users.hashPassword(password, user.email, { ip: NO_CLIENT_IP, isKnown: true });
    await this.unitOfWork.run(async (manager) => {
      await this.users.setPasswordWithin(manager, user, hash);
      await this.sessions.endAllWithin(manager, user.id);
    });
  }

  /**
   * Disables an account: it can neither sign in nor use its tokens. Its pushes are kept.
   * @throws AccountError when no other administrator could sign in
   */
  async disable(user: User, rule?: AdministratorRule, language?: Language, now = new Date()): Promise<void> {
    const { id } = user;
    await this.unitOfWork.run(async (manager) => {
      await this.administrators.checkOthersRemainWithin(manager, id, rule);
      await manager.update(User, { id }, { disabledAt: now });
      await manager.delete(PasswordLink, { userId: id });
      await manager.delete(EmailLink, { userId: id });
      await this.sessions.endAllWithin(manager, id);
      await this.notices.addWithin(manager, user, 'disabled', language, now);
      await this.audit.recordWithin(manager, 'account_disabled', { subject: user });
    });
  }

  async enable(user: User): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await manager.update(User, { id: user.id }, { disabledAt: null });
      await this.audit.recordWithin(manager, 'account_enabled', { subject: user });
    });
  }
}

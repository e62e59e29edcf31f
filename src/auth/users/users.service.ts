import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Between, Repository } from 'typeorm';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId } from '../../platform/random/random.js';
import { unlessDuplicate } from '../../platform/database/errors/database-error.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';
import type { Language } from '../../texts/languages.js';
import { AccountError, EmailTaken } from '../errors/account-error.js';
import { AdministratorsService } from './administrators.service.js';
import { AccountNotices } from '../notices/account-notices.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { emailError } from '../entities/emails.js';
import { BCRYPT_HASHES, PasswordHashes } from '../passwords/password-hashes.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { passwordError } from '../passwords/passwords.js';
import { TokensService } from '../tokens/tokens.service.js';
import { User } from '../entities/user.entity.js';

/** An account that is to be created. */
interface NewAccount {
  email: string;
  /** Without one it is for the API only, or a link sets it. */
  password?: string;
  /** The hash of one that is not known, instead. */
  passwordHash?: string | null;
  /** The client address; empty for the operator. */
  ip?: string;
  /** Whether nobody has shown to read the mail of its email address. */
  emailUnverified?: boolean;
  /** No other administrator is created between `before` and the commit. */
  administrator?: boolean;
}

/** What happens in the transaction that creates an account. */
interface CreationOptions<Result> {
  /** May refuse it. */
  before?: (manager: EntityManager) => Promise<void>;
  after?: (manager: EntityManager, user: User) => Promise<Result>;
  now?: Date;
}

/** Creates, finds and changes accounts. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly passwords: PasswordHashes,
    private readonly tokens: TokensService,
    private readonly administrators: AdministratorsService,
    private readonly notices: AccountNotices,
    private readonly audit: InstanceAudit,
  ) {}

  find(id: string): Promise<User | null> {
    return this.usersRepository.findOneBy({ id });
  }

  /** Whether there is more than one account. */
  async areSeveral(): Promise<boolean> {
    return (await this.usersRepository.find({ select: { id: true }, take: 2 })).length > 1;
  }

  /** Undefined also for one that is disabled. */
  async findEnabled(id: string): Promise<User | undefined> {
    const user = await this.find(id);
    return user?.disabledAt === null ? user : undefined;
  }

  /** Compares again, because a server may also match an email address that ends with a null byte or a space. */
  async findByEmail(email: string): Promise<User | null> {
    const normal = User.normalizeEmail(email);
    const found = await this.usersRepository.findOneBy({ email: normal });
    return found?.email === normal ? found : null;
  }

  /**
   * Creates an account.
   * @returns the account, and what `after` returns
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   */
  async create<Result = undefined>(
    { administrator = false, ...account }: NewAccount,
    { before, after, now = new Date() }: CreationOptions<Result> = {},
  ): Promise<{ user: User; result: Result }> {
    const user = await this.build(account, now);
    const result = await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        if (administrator) await this.administrators.lockWithin(manager);
        await before?.(manager);
        await this.insertWithin(manager, user);
        if (administrator) await this.administrators.promoteWithin(manager, user);
        return after?.(manager, user);
      }),
    );
    return { user, result: result as Result };
  }

  /** The same with a first API token. */
  async createWithToken(
    email: string,
    password: string | undefined,
    tokenName: string,
    { administrator = false } = {},
    now = new Date(),
  ): Promise<{ user: User; token: string }> {
    const { user, result: token } = await this.create(
      { email, password, administrator },
      {
        after: (manager, created) => this.tokens.createWithin(manager, created, { name: tokenName }, now),
        now,
      },
    );
    return { user, token };
  }

  /**
   * Gives an account an email address that may be somebody else's.
   * @throws AccountError when the email address is not acceptable or taken
   */
  async changeEmail(user: User, email: string): Promise<void> {
    const change = { email: acceptableEmail(email), emailUnverified: true };
    await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await manager.update(User, { id: user.id }, change);
        await this.recordEmailWithin(manager, 'email_changed', user, change.email);
      }),
    );
  }

  /** Sets about which events an account gets mails, in which language, and whether mails that it sends name it. */
  async setNotices(
    { id }: User,
    change: Partial<Pick<User, 'notifyOn' | 'language' | 'namedInMails'>>,
  ): Promise<void> {
    await this.unitOfWork.run((manager) => manager.update(User, { id }, change));
  }

  /**
   * Gives an account an email address that its owner has shown to read the mail of.
   * @param checkWithin may refuse it, in the same transaction
   * @throws AccountError when the email address is not acceptable or taken
   */
  async setVerifiedEmail(
    user: User,
    email: string,
    checkWithin: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    const change = { email: acceptableEmail(email), emailUnverified: false };
    await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await checkWithin(manager);
        await manager.update(User, { id: user.id }, change);
        await this.recordEmailWithin(manager, 'email_verified', user, change.email);
      }),
    );
  }

  /** Whether accounts have hashes of bcrypt, which were imported and not replaced yet. */
  existWithBcrypt(): Promise<boolean> {
    return this.usersRepository.existsBy({ passwordHash: Between(...BCRYPT_HASHES) });
  }

  /** Stores another hash of the same password; returns false when the password has been changed in the meantime. */
  replaceHash({ id }: User, before: string, passwordHash: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(User, { id, passwordHash: before }, { passwordHash });
      return affected === 1;
    });
  }

  /** @throws AccountError when the password is not acceptable */
  hashPassword(password: string, email: string, client: QueuedClient): Promise<string> {
    const error = passwordError(password, email);
    if (error !== undefined) throw new AccountError(error);
    return this.passwords.hash(password, client);
  }

  /**
   * Links that could set another one, or another email address, end. The owner is told unless it is the first password.
   */
  async setPasswordWithin(
    manager: EntityManager,
    user: User,
    passwordHash: string,
    language?: Language,
  ): Promise<void> {
    const { id } = user;
    await manager.update(User, { id }, { passwordHash });
    await manager.delete(PasswordLink, { userId: id });
    await manager.delete(EmailLink, { userId: id });
    await this.audit.recordWithin(manager, 'password_set', { subject: user });
    if (user.passwordHash !== null) await this.notices.addWithin(manager, user, 'password', language);
  }

  private async insertWithin(manager: EntityManager, user: User): Promise<void> {
    await manager.insert(User, user);
    await this.audit.recordWithin(manager, 'account_created', { subject: user });
  }

  private recordEmailWithin(
    manager: EntityManager,
    kind: 'email_changed' | 'email_verified',
    { id, email: before }: User,
    email: string,
  ): Promise<void> {
    const details = before === email ? {} : { previous_email: before };
    return this.audit.recordWithin(manager, kind, { subject: { id, email }, details });
  }

  private async build(
    {
      email,
      password,
      passwordHash = null,
      ip = '',
      emailUnverified = false,
    }: Omit<NewAccount, 'administrator'>,
    now: Date,
  ): Promise<User> {
    const user = new User();
    user.id = newId();
    user.email = acceptableEmail(email);
    user.passwordHash =
      password === undefined ? passwordHash : await this.hashPassword(password, user.email, { ip });
    user.createdAt = now;
    user.emailUnverified = emailUnverified;
    user.administrator = false;
    user.hasSecondFactor = false;
    user.notifyOn = 0;
    user.language = null;
    user.namedInMails = true;
    user.lastUsedAt = null;
    user.groupId = null;
    user.providerSignInAt = null;
    user.signInsEnded = 0;
    user.disabledAt = null;
    return user;
  }
}

function acceptableEmail(email: string): string {
  const error = emailError(email);
  if (error !== undefined) throw new AccountError(error);
  return User.normalizeEmail(email);
}

/** @throws EmailTaken when the write violates the unique index */
function orEmailTaken<T>(write: Promise<T>): Promise<T> {
  return unlessDuplicate(write, () => new EmailTaken());
}

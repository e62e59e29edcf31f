import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId } from '../../platform/random/ids.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { QueuedClient } from '../../platform/throttling/fair-queue.js';
import type { Language } from '../../texts/languages.js';
import { AccountError, EmailTaken } from '../errors/account-error.js';
import { AdministratorsService } from './administrators.service.js';
import { AccountNotices } from '../notices/account-notices.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { emailError } from './emails.js';
import { PasswordHashes } from '../passwords/password-hashes.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { passwordError } from '../passwords/passwords.js';
import { TokensService } from '../tokens/tokens.service.js';
import { User } from '../entities/user.entity.js';

interface CreationOptions {
  /** The client address. */
  ip: string;
  /** May refuse it, in the same transaction. */
  checkWithin?: (manager: EntityManager) => Promise<void>;
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

  /** Compares again, because a server may also match an email address that ends with a null byte or a space. */
  async findByEmail(email: string): Promise<User | null> {
    const normal = User.normalizeEmail(email);
    const found = await this.usersRepository.findOneBy({ email: normal });
    return found?.email === normal ? found : null;
  }

  /**
   * Creates an account for a sign-up.
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   */
  async create(email: string, password: string, ip: string, now = new Date()): Promise<User> {
    const user = await this.build(email, { password, ip, emailUnverified: true }, now);
    await orEmailTaken(this.unitOfWork.run((manager) => this.insertWithin(manager, user)));
    return user;
  }

  /**
   * Creates an account and a first API token for it; without a password it is for the API only.
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   */
  async createWithToken(
    email: string,
    password: string | undefined,
    tokenName: string,
    { isAdministrator = false } = {},
    now = new Date(),
  ): Promise<{ user: User; token: string }> {
    const user = await this.build(email, { password, ip: '', emailUnverified: false }, now);
    const token = await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await this.insertWithin(manager, user);
        if (isAdministrator) await this.administrators.promoteWithin(manager, user);
        return this.tokens.createWithin(manager, user, tokenName, now);
      }),
    );
    return { user, token };
  }

  /**
   * Creates an account without a password.
   * @param afterInsert runs in the same transaction, after the insert
   * @throws AccountError when the email address is not acceptable or taken
   */
  async createWithoutPassword<T>(
    email: string,
    afterInsert: (manager: EntityManager, user: User) => Promise<T>,
    now = new Date(),
  ): Promise<T> {
    const user = await this.build(email, { password: undefined, ip: '', emailUnverified: false }, now);
    return orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await this.insertWithin(manager, user);
        return afterInsert(manager, user);
      }),
    );
  }

  /**
   * Creates an account for somebody who has shown to read the mail of its email address.
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   */
  async createVerified(
    email: string,
    password: string,
    { ip, checkWithin, now = new Date() }: CreationOptions,
  ): Promise<User> {
    const user = await this.build(email, { password, ip, emailUnverified: false }, now);
    await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await checkWithin?.(manager);
        await this.insertWithin(manager, user);
      }),
    );
    return user;
  }

  /**
   * Creates an administrator with a password.
   * No other one is created between `checkWithin` and the commit.
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   */
  async createAdministrator(
    email: string,
    password: string,
    { ip, checkWithin, now = new Date() }: CreationOptions,
  ): Promise<User> {
    const user = await this.build(email, { password, ip, emailUnverified: false }, now);
    await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await this.administrators.lockWithin(manager);
        await checkWithin?.(manager);
        await this.insertWithin(manager, user);
        await this.administrators.promoteWithin(manager, user);
      }),
    );
    return user;
  }

  /** @throws AccountError when the email address is not acceptable or taken */
  async changeEmail(user: User, email: string): Promise<void> {
    const change = { email: acceptableEmail(email) };
    await orEmailTaken(
      this.unitOfWork.run(async (manager) => {
        await manager.update(User, { id: user.id }, change);
        await this.recordEmailWithin(manager, 'email_changed', user, change.email);
      }),
    );
  }

  /** Sets about which events an account gets mails, and in which language. */
  async setNotices({ id }: User, change: Pick<User, 'notifyOn' | 'language'>): Promise<void> {
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
    email: string,
    { password, ip, emailUnverified }: { password: string | undefined; ip: string; emailUnverified: boolean },
    now: Date,
  ): Promise<User> {
    const user = new User();
    user.id = newId();
    user.email = acceptableEmail(email);
    user.passwordHash = password === undefined ? null : await this.hashPassword(password, user.email, { ip });
    user.createdAt = now;
    user.emailUnverified = emailUnverified;
    user.administrator = false;
    user.notifyOn = 0;
    user.language = null;
    user.lastUsedAt = null;
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
async function orEmailTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isDuplicate(error) ? new EmailTaken() : error;
  }
}

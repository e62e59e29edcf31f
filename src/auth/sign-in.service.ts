import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PasswordHashes } from './password-hashes.js';
import { SessionsService } from './sessions.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import type { SignInAttempt } from './sign-in-attempt.entity.js';
import type { User } from './user.entity.js';
import { AccountRefused, EmailTaken, UsersService } from './users.service.js';

/** Takes as long to refuse as a hash that is somebody's. It is of random bytes that nobody has kept. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Ip1QihoIwBV0Uaf+OHDzeQ$mgO1pbOPVjSBY2brZw5izvu2P0LlcSsMUPG9LTqlw7I';

/** Passwords: asked for, checked and changed. Who has an account cannot be told from its answers, nor from its time. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottle,
    private readonly passwords: PasswordHashes,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /**
   * The account that has this password, or undefined.
   * @throws TooManyRequests
   */
  async check(email: string, password: string, ip: string, now = new Date()): Promise<User | undefined> {
    const attempt = await this.throttle.book(email, ip, now);
    const user = await this.givingBackOnFault(attempt, () => this.find(email, password, ip));
    if (user) await this.throttle.giveBack(attempt);
    return user;
  }

  /**
   * Makes an account where the address is free. It answers the same when it is taken: there is no mail by which the
   * owner of the address alone could be told.
   * @throws AccountRefused when the address or the password is not acceptable
   * @throws TooManyRequests
   */
  async signUp(email: string, password: string, ip: string, now = new Date()): Promise<void> {
    const attempt = await this.throttle.bookSignUp(ip, now);
    try {
      await this.users.create(email, password, ip, now);
    } catch (error) {
      if (error instanceof EmailTaken) return;
      await this.giveBackQuietly(attempt);
      throw error;
    }
  }

  /**
   * Changes the address of an account. That another has it already cannot be hidden here, so trying is slowed down.
   * @throws AccountRefused when the address is not acceptable or taken
   * @throws TooManyRequests
   */
  async changeEmail(user: User, email: string, ip: string, now = new Date()): Promise<void> {
    const attempt = await this.throttle.book(`change of ${user.id}`, ip, now);
    await this.givingBackOnFault(attempt, () => this.users.changeEmail(user, email));
    await this.throttle.giveBack(attempt);
  }

  /**
   * Changes the password, ends every session, and begins a new one for the browser that asked.
   * @throws AccountRefused when the new password is not acceptable
   */
  async changePassword(user: User, password: string, ip: string, now = new Date()): Promise<string> {
    const hash = await this.users.hashPassword(password, user.email, ip);
    return this.unitOfWork.run(async (manager) => {
      await this.users.setPasswordWithin(manager, user, hash);
      await this.sessions.endAllWithin(manager, user.id);
      return this.sessions.beginWithin(manager, user, now);
    });
  }

  private async find(email: string, password: string, ip: string): Promise<User | undefined> {
    const user = await this.users.findByEmail(email);
    const isRight = await this.passwords.verify(user?.passwordHash ?? NOBODYS_HASH, password, ip);
    return user?.passwordHash && isRight && user.disabledAt === null ? user : undefined;
  }

  /** An attempt that the caller had no answer to, because of a fault of ours, is not counted. */
  private async givingBackOnFault<T>(attempt: SignInAttempt, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AccountRefused)) await this.giveBackQuietly(attempt);
      throw error;
    }
  }

  /** Without an error of its own: the one that came first is to be reported. */
  private async giveBackQuietly(attempt: SignInAttempt): Promise<void> {
    await this.throttle.giveBack(attempt).catch((cause: unknown) => {
      this.log.failure('An attempt to sign in could not be given back', cause);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Language } from '../../texts/languages.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { EmailTaken } from '../errors/account-error.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';
import { SignInThrottle } from './sign-in-throttle.js';

/**
 * What people do themselves: sign up, and change the password and the email address of their account. Neither result nor
 * timing of `signUp` shows who has an account.
 */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottle,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Creates an account if the email address is not taken, where no mail is sent. The result is the same if it is: there
   * is no mail by which only the owner of the email address could be informed.
   * @throws AccountError when the email address or the password is not acceptable
   * @throws TooManyRequests
   */
  async signUp(email: string, password: string, ip: string, now = new Date()): Promise<void> {
    const attempt = await this.throttle.recordSignUp(ip, now);
    try {
      await this.users.create({ email, password, ip, emailUnverified: true }, { now });
    } catch (error) {
      if (error instanceof EmailTaken) return;
      await this.throttle.tryToDeleteAttempt(attempt);
      throw error;
    }
  }

  /**
   * Changes the email address of an account, where no mail is sent. It cannot hide that another account has the email
   * address, so it is rate-limited.
   * @throws AccountError when the email address is not acceptable or taken
   * @throws TooManyRequests
   */
  async changeEmail(user: User, email: string, ip: string, now = new Date()): Promise<void> {
    const attempt = await this.throttle.recordEmailChange(user, ip, now);
    await this.throttle.uncountOnError(attempt, () => this.users.changeEmail(user, email));
    await this.throttle.deleteAttempt(attempt);
  }

  /**
   * Changes the password, ends every session, and begins a new one for the requesting browser.
   * @param session that of the browser
   * @throws AccountError when the new password is not acceptable
   * @throws SignInNeeded when the account was disabled, or got another password, in the meantime
   */
  async changePassword(
    user: User,
    { identityId, providerSession }: Session,
    password: string,
    ip: string,
    language?: Language,
    now = new Date(),
  ): Promise<string> {
    const hash = await this.users.hashPassword(password, user.email, { ip, isKnown: true });
    return this.unitOfWork.run(async (manager) => {
      // first: it checks the account
      const token = await this.sessions.beginWithin(manager, user, now, { identityId, providerSession });
      await this.users.setPasswordWithin(manager, user, hash, language);
      await this.sessions.endOthersWithin(manager, user.id, { token });
      return token;
    });
  }
}

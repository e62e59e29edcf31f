import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import { EmailTaken } from '../errors/account-error.js';
import { isBcrypt, isWholeForBcrypt, PasswordHashes } from '../passwords/password-hashes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { QueuedClient } from '../../platform/throttling/fair-queue.js';
import { KnownNetworksService } from './known-networks.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';

/**
 * Signs up, checks and changes passwords, and changes email addresses. Neither results nor timing of `authenticate` and
 * `signUp` show who has an account.
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottle,
    private readonly knownNetworks: KnownNetworksService,
    private readonly passwords: PasswordHashes,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /**
   * The account that has this password, or undefined.
   * @throws TooManyRequests
   */
  authenticate(email: string, password: string, ip: string, now = new Date()): Promise<User | undefined> {
    return this.check(email, password, ip, () => true, now);
  }

  /**
   * The account that has this password and may sign in with it, or undefined.
   * @throws TooManyRequests
   */
  signIn(email: string, password: string, ip: string): Promise<User | undefined> {
    return this.check(email, password, ip, (user) =>
      user.maySignInWithPassword(this.settings.PASSWORD_SIGN_IN),
    );
  }

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

  private async check(
    email: string,
    password: string,
    ip: string,
    isAllowed: (user: User) => boolean,
    now = new Date(),
  ): Promise<User | undefined> {
    const attempt = await this.throttle.recordAttempt(email, ip, now);
    const user = await this.throttle.uncountOnError(attempt, async () =>
      this.verifyCredentials(email, password, isAllowed, {
        ip,
        isKnown: await this.knownNetworks.includes(attempt.network, now),
      }),
    );
    if (!user) return undefined;
    await this.throttle.deleteAttempt(attempt);
    if (!user.hasSecondFactor) await this.knownNetworks.tryToRecord(user, attempt.network, now);
    return user;
  }

  /** What was typed as the email address is not recorded unless an account has it: it may be a password. */
  private async verifyCredentials(
    email: string,
    password: string,
    isAllowed: (user: User) => boolean,
    client: QueuedClient,
  ): Promise<User | undefined> {
    const user = await this.users.findByEmail(email);
    const stored = user?.passwordHash ?? null;
    const isBcryptInUse = await this.users.existWithBcrypt();
    const isRight = await this.passwords.verify(stored, password, client, isBcryptInUse);
    if (user && isRight && user.disabledAt === null && isAllowed(user)) {
      const mayStay = stored === null || !isBcrypt(stored) || !isWholeForBcrypt(password);
      const isCurrent = mayStay || (await this.replaceHash(user, stored, password, client));
      return isCurrent ? user : this.verifyCredentials(email, password, isAllowed, client);
    }
    await this.audit.record('sign_in_failed', { subject: user ?? undefined });
    return undefined;
  }

  /**
   * Replaces a hash of bcrypt, which was imported, by one of argon2id; if that fails, the next sign-in does it. Returns
   * false when the password, or only its hash, has been changed in the meantime.
   */
  private async replaceHash(
    user: User,
    stored: string,
    password: string,
    client: QueuedClient,
  ): Promise<boolean> {
    try {
      const passwordHash = await this.passwords.hash(password, client, 'sign-in');
      if (!(await this.users.replaceHash(user, stored, passwordHash))) return false;
      user.passwordHash = passwordHash;
    } catch (error) {
      this.log.failure('The imported hash of a password could not be replaced', error);
    }
    return true;
  }
}

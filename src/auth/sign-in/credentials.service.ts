import { Injectable } from '@nestjs/common';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { Settings } from '../../platform/settings/settings.js';
import { isBcrypt, isWholeForBcrypt, PasswordHashes } from '../passwords/password-hashes.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';
import { KnownNetworksService } from './known-networks.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import type { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';

/** Checks passwords. Neither results nor timing show who has an account. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly users: UsersService,
    private readonly throttle: SignInThrottle,
    private readonly knownNetworks: KnownNetworksService,
    private readonly passwords: PasswordHashes,
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

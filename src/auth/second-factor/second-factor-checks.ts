import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../platform/http/visitor.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { User } from '../entities/user.entity.js';
import { KnownNetworksService } from '../sign-in/known-networks.service.js';
import { SignInThrottle } from '../sign-in/sign-in-throttle.js';
import { AuthenticatorApps, isTotpCode } from './authenticator-apps.js';
import { RecoveryCodes } from './recovery-codes.js';

/** Checks second factors, and counts wrong ones. */
@Injectable()
export class SecondFactorChecks {
  constructor(
    private readonly apps: AuthenticatorApps,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly throttle: SignInThrottle,
    private readonly knownNetworks: KnownNetworksService,
    private readonly audit: InstanceAudit,
  ) {}

  /**
   * Whether this is a current code of the account's app, or one of its recovery codes. It is accepted only once.
   * @throws TooManyRequests
   */
  async verify(user: User, code: string, ip: string, now = new Date()): Promise<boolean> {
    const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
    return this.counted(user, ip, now, (isKnown) =>
      isTotpCode(typed) ? this.apps.use(user, typed, isKnown, now) : this.recoveryCodes.use(user, typed, now),
    );
  }

  /**
   * What `check` finds about an attempt at the second factor of an account. Wrong ones are counted, and recorded.
   * @param check gets whether the owner has signed in from there before
   * @throws TooManyRequests
   */
  async counted(
    user: User,
    ip: string,
    now: Date,
    check: (isKnown: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    const network = clientNetwork(ip);
    const isKnown = await this.knownNetworks.includesFor(user, network, now);
    const attempt = await this.throttle.recordSecondFactor(user, ip, isKnown, now);
    const isRight = await this.throttle.uncountOnError(attempt, () => check(isKnown));
    if (!isRight) {
      await this.audit.record('second_factor_failed', { subject: user });
      return false;
    }
    await this.throttle.deleteAttempt(attempt);
    await this.knownNetworks.tryToRecord(user, network, now);
    return true;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, MoreThan, Repository } from 'typeorm';
import type { CountedNetwork } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { newId, digestOf } from '../../platform/random/random.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import type { AttemptLimits, NetworkAttempts } from '../../platform/limits/client-attempt.js';
import { attemptsByNetwork, attemptWait, networkWait } from '../../platform/limits/client-attempt.js';
import { Log } from '../../platform/logging/log.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { AccountError } from '../errors/account-error.js';
import { SignInAttempt } from '../entities/sign-in-attempt.entity.js';
import { User } from '../entities/user.entity.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import { Problem } from '../../platform/errors/problem.js';

/** Of wrong passwords, or codes, of one account. */
const SIGN_IN_LIMITS: AttemptLimits = { perMinute: 5, perHour: 20, byAllPerHour: 100 };
/** At any accounts. */
const MAX_BY_NETWORK_PER_HOUR = 60;
/** From each network, times its factor. */
const MAX_SIGN_UPS_PER_HOUR = 20;
/** Stored as the account of sign-ups; no email address has this digest, because none ends with a space. */
const SIGN_UPS = digestOf('sign-ups ');
/** The same for attempts at the setup code. */
const SETUP_CODES = digestOf('setup codes ');

/** The failed attempts of the last hour. */
interface SignInFailures {
  /** The attempts on this account. */
  own: NetworkAttempts[];
  /** The attempts on any account. */
  atAny: NetworkAttempts[];
  /** Number of attempts on this account from all clients. */
  atAccount: number;
}

/** How long the client has to wait, in milliseconds; 0 when it may try. */
function signInWait({ own, atAny, atAccount }: SignInFailures, now: Date): number {
  return Math.max(
    attemptWait(SIGN_IN_LIMITS, own, atAccount, now),
    networkWait(atAny, MAX_BY_NETWORK_PER_HOUR, HOUR_MS, now),
  );
}

/** The browser has come back from the provider with this state before. */
export class StateUsed extends Error {
  override readonly name = 'StateUsed';
}

/** Counts wrong passwords by account and client network, in the database, so that all processes share the counts. */
@Injectable()
export class SignInThrottle {
  constructor(
    @InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /**
   * Records an attempt before it is checked; call `deleteAttempt` when the password was right. It is inserted before
   * the others are counted, so that concurrent attempts cannot all miss each other.
   * @throws TooManyRequests when the client has to wait
   */
  recordAttempt(email: string, ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.record(
      digestOf(User.normalizeEmail(email)),
      ip,
      now,
      new Problem('too_many_wrong_passwords'),
    );
  }

  /**
   * Records a change of the email address of an account before it is made; call `deleteAttempt` when it has been made.
   * @throws TooManyRequests when the client has to wait
   */
  recordEmailChange({ id }: User, ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.record(digestOf(`change of ${id}`), ip, now, new Problem('too_many_email_changes'));
  }

  /**
   * Records an attempt at the second factor of an account before it is checked; call `deleteAttempt` when it was right.
   * @param isKnown whether its owner has signed in from there: attempts from elsewhere then make nobody wait
   * @throws TooManyRequests when the client has to wait
   */
  recordSecondFactor({ id }: User, ip: string, isKnown: boolean, now = new Date()): Promise<SignInAttempt> {
    const problem = new Problem('too_many_wrong_codes');
    return this.record(digestOf(`second factor of ${id}`), ip, now, problem, (failures) =>
      signInWait(isKnown ? { ...failures, atAccount: 0 } : failures, now),
    );
  }

  /**
   * Records an attempt at the setup code before it is checked; call `deleteAttempt` when the code was right.
   * @throws TooManyRequests when the client has to wait
   */
  recordSetupCode(ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.record(SETUP_CODES, ip, now, new Problem('too_many_wrong_codes'));
  }

  /**
   * Records a sign-up; call `deleteAttempt` when no account was created and the caller learned nothing about one.
   * @throws TooManyRequests when the client has to wait
   */
  recordSignUp(ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.record(SIGN_UPS, ip, now, new Problem('too_many_sign_ups'), ({ own }) =>
      networkWait(own, MAX_SIGN_UPS_PER_HOUR, HOUR_MS, now),
    );
  }

  /**
   * Records that a browser has come back from the sign-in provider, before what it brings is checked; call `forgetClient`
   * unless it was wrong. The attempt tells for an hour that the state was used, so it is not deleted.
   * @throws TooManyRequests when the client has to wait
   * @throws StateUsed
   */
  async recordProviderSignIn(state: string, ip: string, now = new Date()): Promise<SignInAttempt> {
    const account = digestOf(`state ${state}`);
    const problem = new Problem('too_many_provider_sign_ins');
    const attempt = await this.record(account, ip, now, problem, ({ atAny }) =>
      networkWait(atAny, MAX_BY_NETWORK_PER_HOUR, HOUR_MS, now),
    );
    if ((await this.attempts.countBy({ account })) > 1) throw new StateUsed();
    return attempt;
  }

  /** Keeps an attempt without the client, for which it no longer counts. */
  async forgetClient({ id }: SignInAttempt): Promise<void> {
    const nobody = { network: '', wideNetwork: null };
    await this.unitOfWork.run((manager) => manager.update(SignInAttempt, { id }, nobody));
  }

  /** Removes an attempt, so that it no longer counts. */
  async deleteAttempt({ id }: SignInAttempt): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(SignInAttempt, { id }));
  }

  /** Never throws: the original error is the one to report. */
  async tryToDeleteAttempt(attempt: SignInAttempt): Promise<void> {
    await this.deleteAttempt(attempt).catch((cause: unknown) => {
      this.log.failure('A sign-in attempt could not be removed from the count', cause);
    });
  }

  /** What `check` returns. An attempt that fails because of an error on our side is not counted. */
  async uncountOnError<T>(attempt: SignInAttempt, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AccountError)) await this.tryToDeleteAttempt(attempt);
      throw error;
    }
  }

  /** Removes attempts that no longer count. */
  @AuthCleanup()
  async deleteOld(now = new Date(), signal?: AbortSignal): Promise<void> {
    const old = { attemptedAt: LessThan(SignInAttempt.cutoff(now)) };
    await removeInBatches(this.unitOfWork, this.attempts, old, signal);
  }

  private async record(
    account: string,
    ip: string,
    now: Date,
    problem: Problem,
    waitAfter: (failures: SignInFailures, now: Date) => number = signInWait,
  ): Promise<SignInAttempt> {
    const networks = clientNetworks(ip);
    const attempt = { id: newId(), account, ...SignInAttempt.networkColumns(networks), attemptedAt: now };
    await this.countAheadAsNow(attempt, now);
    await this.unitOfWork.run((manager) => manager.insert(SignInAttempt, attempt));

    const wait = waitAfter(await this.failuresBeside(attempt, networks), now);
    if (wait === 0) return attempt;
    await this.deleteAttempt(attempt);
    throw new TooManyRequests('attempts', problem, wait);
  }

  private async countAheadAsNow(attempt: SignInAttempt, now: Date): Promise<void> {
    for (const where of [{ account: attempt.account }, SignInAttempt.fromAround(attempt)])
      await capTimes(this.unitOfWork, this.attempts, where, 'attemptedAt', now);
  }

  private async failuresBeside(attempt: SignInAttempt, networks: CountedNetwork[]): Promise<SignInFailures> {
    const { id, account, attemptedAt } = attempt;
    const inTheLastHour = { attemptedAt: MoreThan(SignInAttempt.cutoff(attemptedAt)) };
    const maxFactor = Math.max(...networks.map(({ factor }) => factor));
    const fromThere = await this.attempts.find({
      where: { ...SignInAttempt.fromAround(attempt), ...inTheLastHour },
      order: { attemptedAt: 'DESC' },
      take: MAX_BY_NETWORK_PER_HOUR * maxFactor + 1,
    });
    const others = fromThere.filter((other) => other.id !== id);
    const atAccount = await this.attempts.countBy({ account, ...inTheLastHour });
    return {
      own: attemptsByNetwork(
        others.filter((other) => other.account === account),
        networks,
      ),
      atAny: attemptsByNetwork(others, networks),
      atAccount: atAccount - 1,
    };
  }
}

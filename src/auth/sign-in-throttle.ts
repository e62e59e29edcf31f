import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, MoreThan, Repository } from 'typeorm';
import type { CountedNetwork } from '../http/client-address.js';
import { clientNetworks } from '../http/client-address.js';
import { digestOf, newId } from '../database/ids.js';
import { TooManyRequests } from '../http/too-many-requests.js';
import { retryAfter } from '../throttling/retry-after.js';
import { removeInBatches } from '../database/remove-in-batches.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { User } from './user.entity.js';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_IN_A_MINUTE = 5;
const MOST_IN_AN_HOUR = 20;
const MOST_BY_ADDRESS_IN_AN_HOUR = 60;
const MOST_BY_ALL_IN_AN_HOUR = 100;
const MOST_SIGN_UPS_IN_AN_HOUR = 20;
/** In the place of an account; the digest of no e-mail address, because those have no space at the end. */
const SIGN_UPS = digestOf('sign-ups ');

/** What is known of the wrong tries of the last hour; times are the latest first. */
export interface SignInFailures {
  /** From each network of the address, with the factor of its allowance. */
  networks: {
    /** At this account. */
    own: Date[];
    /** At whatever account. */
    atAny: Date[];
    factor: number;
  }[];
  /** At this account by all addresses. */
  atAccount: number;
}

/**
 * How long the address has to wait, in milliseconds; 0 when it may try. Where all addresses together have a hundred
 * wrong tries at an account, those among them wait, and others may still try: strangers cannot lock a person out.
 */
export function signInWait({ networks, atAccount }: SignInFailures, now: Date): number {
  const most = atAccount >= MOST_BY_ALL_IN_AN_HOUR ? 1 : MOST_IN_AN_HOUR;
  const waits = networks.flatMap(({ own, atAny, factor }) => [
    retryAfter(own, most * factor, HOUR_MS, now),
    retryAfter(own, MOST_IN_A_MINUTE * factor, MINUTE_MS, now),
    retryAfter(atAny, MOST_BY_ADDRESS_IN_AN_HOUR * factor, HOUR_MS, now),
  ]);
  return Math.max(0, ...waits);
}

/** How long until an address may sign up again, in milliseconds: twenty an hour for each network, times its factor. */
export function signUpWait({ networks }: SignInFailures, now: Date): number {
  return Math.max(
    0,
    ...networks.map(({ own, factor }) => retryAfter(own, MOST_SIGN_UPS_IN_AN_HOUR * factor, HOUR_MS, now)),
  );
}

/** Counts wrong passwords by account and address, in the database, so that all processes count together. */
@Injectable()
export class SignInThrottle {
  constructor(
    @InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Books an attempt before it is checked; `giveBack` it when it was right. It is on the books before the others
   * are counted, so that those who try at the same moment cannot all overlook each other.
   * @throws TooManyRequests when the address has to wait
   */
  book(email: string, ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.bookAt(digestOf(User.normalizeEmail(email)), ip, now, {
      waitAfter: signInWait,
      refusal: 'Too many wrong passwords. Try again later.',
    });
  }

  /**
   * Books a sign-up; `giveBack` it when no account was made and nothing about one was learned.
   * @throws TooManyRequests when the address has to wait
   */
  bookSignUp(ip: string, now = new Date()): Promise<SignInAttempt> {
    return this.bookAt(SIGN_UPS, ip, now, {
      waitAfter: signUpWait,
      refusal: 'Too many accounts are being made from here. Try again later.',
    });
  }

  async giveBack({ id }: SignInAttempt): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(SignInAttempt, { id }));
  }

  /** Forgets attempts that no longer make anybody wait. */
  async forget(now = new Date(), stop?: AbortSignal): Promise<void> {
    const old = { attemptedAt: LessThan(new Date(now.getTime() - HOUR_MS)) };
    await removeInBatches(this.unitOfWork, this.attempts, old, stop);
  }

  private async bookAt(
    account: string,
    ip: string,
    now: Date,
    { waitAfter, refusal }: { waitAfter: typeof signInWait; refusal: string },
  ): Promise<SignInAttempt> {
    const [network, wide] = clientNetworks(ip);
    const attempt = {
      id: newId(),
      account,
      address: network?.network ?? '',
      wideNetwork: wide?.network ?? null,
      attemptedAt: now,
    };
    await this.unitOfWork.run((manager) => manager.insert(SignInAttempt, attempt));

    const wait = waitAfter(await this.failuresBeside(attempt, clientNetworks(ip)), now);
    if (wait === 0) return attempt;
    await this.giveBack(attempt);
    throw new TooManyRequests('attempts', refusal, Math.ceil(wait / 1000));
  }

  private async failuresBeside(
    { id, account, address, wideNetwork, attemptedAt }: SignInAttempt,
    networks: CountedNetwork[],
  ): Promise<SignInFailures> {
    const inTheLastHour = { attemptedAt: MoreThan(new Date(attemptedAt.getTime() - HOUR_MS)) };
    const mostFactor = Math.max(...networks.map(({ factor }) => factor));
    const fromThere = await this.attempts.find({
      where: { ...(wideNetwork === null ? { address } : { wideNetwork }), ...inTheLastHour },
      order: { attemptedAt: 'DESC' },
      take: MOST_BY_ADDRESS_IN_AN_HOUR * mostFactor + 1,
    });
    const others = fromThere.filter((other) => other.id !== id);
    const atAccount = await this.attempts.countBy({ account, ...inTheLastHour });
    return {
      networks: networks.map(({ network, factor }) => {
        const from = others.filter((other) => other.address === network || other.wideNetwork === network);
        const own = from.filter((other) => other.account === account);
        return { own: timesOf(own), atAny: timesOf(from), factor };
      }),
      atAccount: atAccount - 1,
    };
  }
}

function timesOf(attempts: SignInAttempt[]): Date[] {
  return attempts.map(({ attemptedAt }) => attemptedAt);
}

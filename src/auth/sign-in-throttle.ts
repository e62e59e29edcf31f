import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan, MoreThan } from 'typeorm';
import { throttleAddress } from '../common/client-address.js';
import { newId } from '../common/new-id.js';
import { digestOf } from '../common/tokens.js';
import { TooManyRequests } from '../common/too-many-requests.js';
import { waitFor } from '../common/wait.js';
import { removeInUnits } from '../database/remove-in-units.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { User } from './user.entity.js';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_IN_A_MINUTE = 5;
const MOST_IN_AN_HOUR = 20;
const MOST_BY_ADDRESS_IN_AN_HOUR = 60;
const MOST_BY_ALL_IN_AN_HOUR = 100;

/** What is known of the wrong tries of the last hour; times are the latest first. */
export interface SignInFailures {
  /** At this account from this address. */
  own: Date[];
  /** From this address, at whatever account. */
  fromAddress: Date[];
  /** At this account by all addresses. */
  atAccount: number;
}

/**
 * How long the address has to wait, in milliseconds; 0 when it may try. Where all addresses together have a hundred
 * wrong tries at an account, those among them wait, and others may still try: strangers cannot lock a person out.
 */
export function signInWait({ own, fromAddress, atAccount }: SignInFailures, now: Date): number {
  const most = atAccount >= MOST_BY_ALL_IN_AN_HOUR ? 1 : MOST_IN_AN_HOUR;
  return Math.max(
    waitFor(own, most, HOUR_MS, now),
    waitFor(own, MOST_IN_A_MINUTE, MINUTE_MS, now),
    waitFor(fromAddress, MOST_BY_ADDRESS_IN_AN_HOUR, HOUR_MS, now),
  );
}

/** Counts wrong passwords by account and address, in the database, so that all processes count together. */
@Injectable()
export class SignInThrottle {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Books an attempt before it is checked; `giveBack` it when it was right. It is on the books before the others
   * are counted, so that those who try at the same moment cannot all overlook each other.
   * @throws TooManyRequests when the address has to wait
   */
  async book(email: string, ip: string, now = new Date()): Promise<SignInAttempt> {
    const attempt = {
      id: newId(),
      account: digestOf(User.normalizeEmail(email)),
      address: throttleAddress(ip),
      attemptedAt: now,
    };
    await this.unitOfWork.run((manager) => manager.insert(SignInAttempt, attempt));

    const wait = signInWait(await this.failuresBeside(attempt), now);
    if (wait === 0) return attempt;
    await this.giveBack(attempt);
    throw new TooManyRequests(
      'attempts',
      'Too many wrong passwords. Try again later.',
      Math.ceil(wait / 1000),
    );
  }

  async giveBack({ id }: SignInAttempt): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(SignInAttempt, { id }));
  }

  /** Forgets attempts that no longer make anybody wait. */
  async forget(now = new Date(), stop?: AbortSignal): Promise<void> {
    const old = { attemptedAt: LessThan(new Date(now.getTime() - HOUR_MS)) };
    await removeInUnits(this.dataSource, this.unitOfWork, SignInAttempt, old, stop);
  }

  private async failuresBeside(attempt: SignInAttempt): Promise<SignInFailures> {
    const { account, address, attemptedAt } = attempt;
    const inTheLastHour = { attemptedAt: MoreThan(new Date(attemptedAt.getTime() - HOUR_MS)) };
    const fromAddress = await this.dataSource.manager.find(SignInAttempt, {
      where: { address, ...inTheLastHour },
      order: { attemptedAt: 'DESC' },
      take: MOST_BY_ADDRESS_IN_AN_HOUR + 1,
    });
    const others = fromAddress.filter(({ id }) => id !== attempt.id);
    const atAccount = await this.dataSource.manager.countBy(SignInAttempt, { account, ...inTheLastHour });
    return {
      own: timesOf(others.filter((other) => other.account === account)),
      fromAddress: timesOf(others),
      atAccount: atAccount - 1,
    };
  }
}

function timesOf(attempts: SignInAttempt[]): Date[] {
  return attempts.map(({ attemptedAt }) => attemptedAt);
}

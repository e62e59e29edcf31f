import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MoreThan } from 'typeorm';
import { throttleAddress } from '../common/client-address.js';
import { newId } from '../common/new-id.js';
import { TooManyRequests } from '../common/too-many-requests.js';
import { waitFor } from '../common/wait.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PassphraseAttempt } from './passphrase-attempt.entity.js';
import { Push } from './push.entity.js';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_IN_A_MINUTE = 5;
const MOST_IN_AN_HOUR = 20;
const MOST_BY_ALL_IN_AN_HOUR = 100;

/** What is known of the wrong tries at a push in the last hour. */
export interface Failures {
  /** Times of those from the address that asks, the latest first. */
  own: Date[];
  byAll: number;
}

/**
 * How long the address has to wait, in milliseconds; 0 when it may try.
 * Five wrong tries a minute and twenty an hour; where all addresses together have a hundred, those among them wait,
 * and others may still try: strangers cannot lock the recipient out.
 */
export function waitAfter({ own, byAll }: Failures, now: Date): number {
  const most = byAll >= MOST_BY_ALL_IN_AN_HOUR ? 1 : MOST_IN_AN_HOUR;
  return Math.max(waitFor(own, most, HOUR_MS, now), waitFor(own, MOST_IN_A_MINUTE, MINUTE_MS, now));
}

/** Counts wrong passphrases by push and address, in the database, so that all processes count together. */
@Injectable()
export class PassphraseThrottle {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Books an attempt before it is checked; `giveBack` it when it was right.
   * @throws TooManyRequests when the address has to wait
   */
  book(push: Push, ip: string, now: Date): Promise<PassphraseAttempt> {
    const address = throttleAddress(ip);
    return this.unitOfWork.run(async (manager) => {
      await takeTurn(manager, push);
      const wait = waitAfter(await failures(manager, push, address, now), now);
      if (wait > 0)
        throw new TooManyRequests(
          'attempts',
          'Too many wrong passphrases. Try again later.',
          Math.ceil(wait / 1000),
        );

      const attempt = { id: newId(), pushId: push.id, address, attemptedAt: now };
      await manager.insert(PassphraseAttempt, attempt);
      return attempt;
    });
  }

  async giveBack(manager: EntityManager, { id }: PassphraseAttempt): Promise<void> {
    await manager.delete(PassphraseAttempt, { id });
  }
}

/** Writing to the push's row first makes attempts at it wait for each other, and clash on a multi-primary cluster. */
async function takeTurn(manager: EntityManager, { id }: Push): Promise<void> {
  await manager.increment(Push, { id }, 'passphraseAttempts', 1);
}

async function failures(manager: EntityManager, push: Push, address: string, now: Date): Promise<Failures> {
  const inTheLastHour = { pushId: push.id, attemptedAt: MoreThan(new Date(now.getTime() - HOUR_MS)) };
  const own = await manager.find(PassphraseAttempt, {
    where: { ...inTheLastHour, address },
    order: { attemptedAt: 'DESC' },
    take: MOST_IN_AN_HOUR,
  });
  const byAll = await manager.countBy(PassphraseAttempt, inTheLastHour);
  return { own: own.map(({ attemptedAt }) => attemptedAt), byAll };
}

/** Before when attempts no longer matter. */
export function forgottenAttempts(now: Date): Date {
  return new Date(now.getTime() - HOUR_MS);
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, LessThan, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { digestOf } from '../../platform/random/random.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { MailCount } from '../entities/mail-count.entity.js';
import { Problem } from '../../platform/errors/problem.js';

export const MAX_TO_EMAIL_PER_HOUR = 3;

/** How many mails there may be in an hour, counted under a name of its own. */
export interface HourlyLimit {
  name: string;
  max: number;
}

/** Counts a mail within a transaction; returns whether it may be sent. */
type MailCounter = (manager: EntityManager) => Promise<boolean>;

const FROM_CLIENT: HourlyLimit = { name: 'from', max: 20 };
const TO_EMAIL: HourlyLimit = { name: 'to', max: MAX_TO_EMAIL_PER_HOUR };

/**
 * Limits the mails that people can ask for, to each email address and from each network. Counted in the database, in
 * statements that check and count at once, so that the limits are exact for any number of processes.
 */
@Injectable()
export class MailLimits {
  constructor(
    @InjectRepository(MailCount) private readonly counts: Repository<MailCount>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Counts a request from the networks of a client; an IPv6 /48 has ten times the limit.
   * @param limit another one than that of mails about accounts, counted by its name
   * @throws TooManyRequests
   */
  async countClient(ip: string, now: Date, limit: HourlyLimit = FROM_CLIENT): Promise<void> {
    const networks = clientNetworks(ip).map(({ network, factor }) => ({
      subject: digestOf(`${limit.name} ${network}`),
      max: limit.max * factor,
    }));
    await this.begin(
      networks.map(({ subject }) => subject),
      now,
    );
    await this.unitOfWork.run(async (manager) => {
      for (const { subject, max } of networks)
        if (!(await countWithin(manager, subject, max))) throw await tooMany(manager, subject, now);
    });
  }

  /**
   * Returns how to count a mail to an email address within a transaction: to whether it may be sent. The counter itself
   * is begun here, because two transactions that insert it at the same time would disturb each other.
   */
  async counterFor(email: string, now: Date, limit: HourlyLimit = TO_EMAIL): Promise<MailCounter> {
    return this.counterForAll([{ ...limit, subject: email }], now);
  }

  /**
   * The same for several limits. They are counted in this order, until one is reached: then the transaction has to fail,
   * so that none is.
   */
  async counterForAll(limits: (HourlyLimit & { subject: string })[], now: Date): Promise<MailCounter> {
    const counted = limits.map(({ name, subject, max }) => ({
      subject: digestOf(`${name} ${subject}`),
      max,
    }));
    await this.begin(
      counted.map(({ subject }) => subject),
      now,
    );
    return async (manager) => {
      for (const { subject, max } of counted) if (!(await countWithin(manager, subject, max))) return false;
      return true;
    };
  }

  /** Removes the counts of hours that have ended. */
  @AuthCleanup()
  async deleteEnded(now = new Date(), signal?: AbortSignal): Promise<void> {
    await removeInBatches(this.unitOfWork, this.counts, { endsAt: LessThanOrEqual(now) }, signal);
  }

  /** Begins an hour for each of these, unless one is running. */
  private async begin(subjects: string[], now: Date): Promise<void> {
    const these = { subject: In(subjects) };
    await capTimes(this.unitOfWork, this.counts, these, 'endsAt', MailCount.endOf(now));
    const running = await this.counts.findBy({ ...these, endsAt: MoreThan(now) });
    const others = subjects.filter((subject) => !running.some((count) => count.subject === subject));
    if (others.length === 0) return;
    const fresh = { mails: 0, endsAt: MailCount.endOf(now) };
    try {
      await this.unitOfWork.run(async (manager) => {
        for (const subject of others) {
          const ended = { subject, endsAt: LessThanOrEqual(now) };
          const { affected } = await manager.update(MailCount, ended, fresh);
          if (affected === 0) await manager.insert(MailCount, { subject, ...fresh });
        }
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error; // another request has begun one of them
      if (others.length > 1) for (const subject of others) await this.begin([subject], now);
    }
  }
}

async function countWithin(manager: EntityManager, subject: string, max: number): Promise<boolean> {
  const { affected } = await manager.increment(MailCount, { subject, mails: LessThan(max) }, 'mails', 1);
  return affected === 1;
}

async function tooMany(manager: EntityManager, subject: string, now: Date): Promise<TooManyRequests> {
  const count = await manager.findOneBy(MailCount, { subject });
  const wait = (count?.endsAt.getTime() ?? 0) - now.getTime();
  return new TooManyRequests('attempts', new Problem('too_many_mails'), wait);
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TooManyRequests } from '../../http/errors/too-many-requests.js';
import { Settings } from '../../settings/settings.js';
import { DAY_MS, SECOND_MS } from '../../settings/units.js';
import { MailDay } from './mail-day.entity.js';

/** Enforces MAILS_PER_DAY for each account, by days in UTC. Mails that are never delivered count, too. */
@Injectable()
export class MailQuota {
  private readonly mailsPerDay: number;

  constructor(settings: Settings) {
    this.mailsPerDay = settings.MAILS_PER_DAY || Infinity;
  }

  /**
   * Counts mails in the transaction that adds them. The account must be locked in it, so that requests at the same time
   * are counted one after the other.
   * @throws TooManyRequests when fewer are left
   */
  async countWithin(manager: EntityManager, userId: string, mails: number, now: Date): Promise<void> {
    if (this.mailsPerDay === Infinity) return;
    const day = now.toISOString().slice(0, 10);
    const last = await manager.findOneBy(MailDay, { userId });
    const total = (last?.day === day ? last.mails : 0) + mails;
    if (total > this.mailsPerDay) throw this.exceeded(now);
    if (last) await manager.update(MailDay, { userId }, { day, mails: total });
    else await manager.insert(MailDay, { userId, day, mails: total });
  }

  /** A 429 with the time until the next day. */
  private exceeded(now: Date): TooManyRequests {
    const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
    return new TooManyRequests(
      'requests',
      `This account may have ${this.mailsPerDay} mails sent a day (UTC). Try again tomorrow.`,
      seconds,
    );
  }
}

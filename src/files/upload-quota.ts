import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { isDuplicate } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { ConditionalUpdate } from '../database/write.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import { Settings } from '../settings/settings.js';
import { UploadDay } from './upload-day.entity.js';
import { DAY_MS } from '../settings/units.js';

/**
 * Enforces UPLOAD_BYTES_PER_DAY for each account. It limits the bytes of the files of all pushes that the account
 * creates in a day (UTC), including those that have ended.
 */
@Injectable()
export class UploadQuota {
  private readonly bytesPerDay: number;

  constructor(
    settings: Settings,
    @InjectRepository(UploadDay) private readonly days: Repository<UploadDay>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.bytesPerDay = settings.UPLOAD_BYTES_PER_DAY || Infinity;
  }

  /** How many bytes an account may still send today; unlimited without an account. */
  async left(userId: string | undefined, now = new Date()): Promise<number> {
    if (userId === undefined || this.bytesPerDay === Infinity) return Infinity;

    const today = await this.days.findOneBy({ userId, day: dayOf(now) });
    return Math.max(0, this.bytesPerDay - (today?.bytes ?? 0));
  }

  /** An update that counts the bytes in a write, and makes it fail when fewer are left. Undefined without a quota. */
  async quotaUpdate(
    userId: string | undefined,
    bytes: number,
    now = new Date(),
  ): Promise<ConditionalUpdate | undefined> {
    if (userId === undefined || this.bytesPerDay === Infinity) return undefined;

    const day = dayOf(now);
    await this.beginDay(userId, day);
    return {
      rowId: userId,
      sql: 'UPDATE upload_days SET bytes = bytes + ? WHERE user_id = ? AND day = ? AND bytes <= ?',
      values: [bytes, userId, day, this.bytesPerDay - bytes],
    };
  }

  /** A 429 with the time until the next day. */
  exceeded(now = new Date()): TooManyRequests {
    const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
    return new TooManyRequests(
      'requests',
      `This account may send ${this.bytesPerDay} bytes of files a day (UTC). Try again tomorrow.`,
      seconds,
    );
  }

  private async beginDay(userId: string, day: string): Promise<void> {
    if (await this.days.existsBy({ userId, day })) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        const { affected } = await manager.update(
          UploadDay,
          { userId, day: LessThan(day) },
          { day, bytes: 0 },
        );
        if (affected === 0) await manager.insert(UploadDay, { userId, day, bytes: 0 });
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error; // another request has inserted the row
    }
  }
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

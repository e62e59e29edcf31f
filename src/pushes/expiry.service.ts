import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { DataSource, In, IsNull, LessThan, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FilesService } from '../files/files.service.js';
import { Settings } from '../settings/settings.js';
import { PassphraseAttempt } from './passphrase-attempt.entity.js';
import { forgottenAttempts } from './passphrase-throttle.js';
import { Push, SHREDDED } from './push.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Small, because a unit of work holds up the others. */
const BATCH = 100;

/** Ends pushes by age, and removes what need not be kept of those that ended. All of it may run twice at a time. */
@Injectable()
export class ExpiryService {
  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly files: FilesService,
  ) {}

  /** Ends and shreds the pushes past their day limit; tells how many. */
  expireOverdue(now = new Date()): Promise<number> {
    return this.inBatches({ expiredOn: IsNull(), expiresAt: LessThanOrEqual(now) }, (ids) =>
      this.unitOfWork.run(async (manager) => {
        await this.files.end(manager, ids, now);
        return manager
          .createQueryBuilder()
          .update(Push)
          .set({ expiredOn: () => 'expires_at', updatedAt: () => 'expires_at', ...SHREDDED })
          .where({ id: In(ids) })
          .andWhere('+expired_on IS NULL') // the sign keeps SQLite from going through the index of all that are alive
          .execute();
      }),
    );
  }

  /** Removes ended pushes that nobody can look at any more: without an owner a day later, others as RETENTION_DAYS says. */
  async purge(now = new Date()): Promise<number> {
    const { RETENTION_DAYS } = this.settings;
    const ownerless = await this.remove({ userId: IsNull(), expiredOn: LessThan(daysBefore(now, 1)) });
    if (RETENTION_DAYS === undefined) return ownerless;

    const owned = { userId: Not(IsNull()), expiredOn: LessThan(daysBefore(now, RETENTION_DAYS)) };
    return ownerless + (await this.remove(owned));
  }

  /** Forgets wrong passphrases that no longer make anybody wait. */
  async forgetAttempts(now = new Date()): Promise<void> {
    const old = { attemptedAt: LessThan(forgottenAttempts(now)) };
    await this.unitOfWork.run((manager) => manager.delete(PassphraseAttempt, old));
  }

  private remove(which: FindOptionsWhere<Push>): Promise<number> {
    return this.inBatches(which, (ids) =>
      this.unitOfWork.run((manager) => manager.delete(Push, { id: In(ids) })),
    );
  }

  private async inBatches(
    which: FindOptionsWhere<Push>,
    act: (ids: string[]) => Promise<{ affected?: number | null }>,
  ): Promise<number> {
    let done = 0;
    for (;;) {
      const batch = await this.dataSource.manager.find(Push, {
        select: { id: true },
        where: which,
        take: BATCH,
      });
      if (batch.length === 0) return done;

      const { affected } = await act(batch.map(({ id }) => id));
      done += affected ?? 0;
      await setImmediate();
    }
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

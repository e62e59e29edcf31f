import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import {
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Repository,
  Column,
  Entity,
  ForeignKey,
  PrimaryColumn,
} from 'typeorm';
import { CLOCK_DIFFERENCE_MS } from '../../platform/database/cap-times.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import type { ConditionalUpdate } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { Settings } from '../../platform/settings/settings.js';
import { User } from '../entities/user.entity.js';

const AmountColumn = () =>
  Column({ type: 'bigint', transformer: { from: Number, to: (amount: number) => amount } });

/** What an account used on the last day on which it used anything that is counted here. */
@Entity('daily_usage')
export class DailyUsage {
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  userId: string;

  /** The day in UTC, such as 2026-11-22. */
  @Column('varchar', { length: 10 })
  day: string;

  /** Bytes of files that it sent. */
  @AmountColumn()
  bytes: number;

  /** Mails with links that it asked for. */
  @AmountColumn()
  mails: number;

  /** Wrong codes of its authenticator app, and those that are being checked, whoever tries them. */
  @Column('integer', { default: 0 })
  codes: number;

  /** Whether its owner was told that these are too many. */
  @Column('boolean', { default: false })
  codesTold: boolean;
}

/** Limits what each account may use of something in a day (UTC), exactly for any number of processes. */
@Injectable()
export abstract class DailyQuota {
  /** The column that counts it. */
  protected abstract readonly column: 'bytes' | 'mails' | 'codes';
  /** 0 is no limit. */
  protected abstract readonly max: number;

  constructor(
    protected readonly settings: Settings,
    @InjectRepository(DailyUsage) protected readonly usage: Repository<DailyUsage>,
    protected readonly unitOfWork: UnitOfWork,
  ) {}

  /** How much an account may still use today; unlimited without an account. */
  async remaining(
    userId: string | undefined,
    now = new Date(),
    manager = this.usage.manager,
  ): Promise<number> {
    if (userId === undefined || this.max === 0) return Infinity;

    const today = await manager.findOneBy(DailyUsage, { userId, day: MoreThanOrEqual(dayOf(now)) });
    return Math.max(0, this.max - (today?.[this.column] ?? 0));
  }

  /**
   * An update that counts the amount, for `Transaction.updateOrAbort`: it does not match when less is left. Undefined
   * without a quota.
   */
  async prepareUpdate(
    userId: string | undefined,
    amount: number,
    now = new Date(),
  ): Promise<ConditionalUpdate | undefined> {
    if (userId === undefined || this.max === 0) return undefined;

    const { column } = this;
    const day = dayOf(now);
    await this.beginDay(userId, now);
    return {
      rowId: userId,
      sql: `UPDATE daily_usage SET ${column} = ${column} + ? WHERE user_id = ? AND day >= ? AND ${column} <= ?`,
      values: [amount, userId, day, this.max - amount],
    };
  }

  /**
   * Executes an update of `prepareUpdate` within a transaction. It locks the account, also without a quota: what is
   * counted refers to it, and it comes first in the order of locks.
   * @throws `exceededError` when less is left
   */
  async countWithin(
    manager: EntityManager,
    userId: string,
    update: ConditionalUpdate | undefined,
    now: Date,
  ): Promise<void> {
    await this.unitOfWork.findForUpdate(manager, User, { id: userId });
    if (!update) return;
    const isWithin = await writeWithin(manager, (tx) => {
      tx.updateOrAbort(update);
    });
    if (!isWithin) throw this.exceededError(now);
  }

  /** The error when less is left. */
  abstract exceededError(now: Date): HttpException;

  /** A day after today was begun by a clock that was ahead: what was used on it counts as used today. */
  private async beginDay(userId: string, now: Date): Promise<void> {
    const day = dayOf(now);
    const isAhead = { userId, day: MoreThan(dayOf(new Date(now.getTime() + CLOCK_DIFFERENCE_MS))) };
    if (await this.usage.existsBy(isAhead))
      await this.unitOfWork.run((manager) => manager.update(DailyUsage, isAhead, { day }));
    if (await this.usage.existsBy({ userId, day: MoreThanOrEqual(day) })) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        const fresh = { day, bytes: 0, mails: 0, codes: 0, codesTold: false };
        const { affected } = await manager.update(DailyUsage, { userId, day: LessThan(day) }, fresh);
        if (affected === 0) await manager.insert(DailyUsage, { userId, ...fresh });
      });
    } catch (error) {
      if (!isDuplicate(error)) throw error; // another request has inserted the row
    }
  }
}

/** The milliseconds until the next day in UTC. */
export function untilNextDay(now: Date): number {
  return DAY_MS - (now.getTime() % DAY_MS);
}

/** The day in UTC. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

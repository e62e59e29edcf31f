import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ScheduledWork } from '../../../platform/scheduling/jobs.js';
import { MINUTE_MS, DAY_MS } from '../../../platform/settings/units.js';
import { User } from '../../../auth/entities/user.entity.js';
import { sumRows } from '../../../platform/database/sum-rows.js';
import { StoredFile } from '../../../files/file.entity.js';
import { Push } from '../../../pushes/push/push.entity.js';
import { OutboxMessage } from '../../../platform/outbox/outbox-message.entity.js';

const FRESH_FOR_MS = MINUTE_MS;
const MAX_WAIT_MS = 1000;

/** Totals of the instance, counted in the background and at most once a minute, however often they are asked for. */
@Injectable()
export class TotalsService {
  private latest?: Totals;
  private counting?: Promise<void>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly work: ScheduledWork,
  ) {}

  /** When counting takes longer than a second, the previous totals; undefined when there are none yet. */
  async current(now = new Date(), maxWaitMs = MAX_WAIT_MS): Promise<Totals | undefined> {
    const isFresh = this.latest && now.getTime() - this.latest.countedAt.getTime() < FRESH_FOR_MS;
    if (!isFresh) await this.countFor(maxWaitMs, now);
    return this.latest;
  }

  private async countFor(maxWaitMs: number, now: Date): Promise<void> {
    this.counting ??= this.count(now).finally(() => (this.counting = undefined));
    const isOver = new AbortController();
    const tooLong = setTimeout(maxWaitMs, undefined, { signal: isOver.signal, ref: false }).catch(
      () => undefined,
    );
    await Promise.race([this.counting, tooLong]);
    isOver.abort();
  }

  private count(now: Date): Promise<void> {
    return this.work.run('The totals for administrators cannot be counted', async (signal) => {
      this.latest = (await countTotals(this.dataSource, now, signal)) ?? this.latest;
    });
  }
}

/** How much an instance has stored. They are only sums, so that they tell nothing of a single account. */
export interface Totals {
  countedAt: Date;
  accounts: { total: number; disabled: number };
  pushes: { active: number; ended: number; createdInDay: number; views: number };
  files: { total: number; bytes: number };
  messages: { waiting: number; failed: number };
}

/** Counts what is stored at this moment; undefined once `signal` aborts. It takes seconds in a large database. */
export async function countTotals(
  dataSource: DataSource,
  now: Date,
  signal?: AbortSignal,
): Promise<Totals | undefined> {
  const times = { now, dayAgo: before(now, DAY_MS) };
  const accounts = await sumRows(dataSource, User, ACCOUNTS, {}, signal);
  const pushes = await sumRows(dataSource, Push, PUSHES, times, signal);
  const files = await sumRows(dataSource, StoredFile, FILES, {}, signal);
  const messages = await sumRows(dataSource, OutboxMessage, MESSAGES, {}, signal);
  return accounts && pushes && files && messages && { countedAt: now, accounts, pushes, files, messages };
}

/** 1 for a row that meets a condition: on PostgreSQL a condition is no number. */
const oneIf = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const ACCOUNTS = { total: '1', disabled: oneIf('disabled_at IS NOT NULL') };

/** A push has ended as `Push.isExpired` has it. */
const PUSHES = {
  active: oneIf('expired_on IS NULL AND expires_at > :now'),
  ended: oneIf('expired_on IS NOT NULL OR expires_at <= :now'),
  createdInDay: oneIf('created_at > :dayAgo'),
  views: 'views_counted',
};

/** Those that were missing where a push was imported from are not stored. */
const FILES = { total: oneIf("storage_key <> ''"), bytes: 'size' };

const MESSAGES = { waiting: oneIf('outcome IS NULL'), failed: oneIf("outcome = 'failed'") };

function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}

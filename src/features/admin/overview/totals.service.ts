import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ScheduledWork } from '../../../platform/scheduling/scheduled-work.js';
import { MINUTE_MS } from '../../../platform/settings/units.js';
import type { Totals } from './totals.js';
import { countTotals } from './totals.js';

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

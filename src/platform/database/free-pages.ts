import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Log } from '../logging/log.js';
import { SECOND_MS } from '../settings/units.js';
import { databaseErrorCode, isUnavailable } from './errors/database-error.js';
import { Pace } from './pace.js';
import { databaseOf } from './sqlite/execute-on-sqlite.js';
import { UnitOfWork } from './transactions/unit-of-work.js';
import { engineOf } from './engines/engines.js';

/** Kept for new rows: giving pages back and taking them again each day would cost more than they do. */
const KEPT_SHARE = 0.1;
const KEPT_PAGES = 1000;

const MIN_STEP = 16;
const MAX_STEP = 1024;
/** A step is made smaller above this time, and larger below half of it. */
const STEP_MS = 10;
const RUN_MS = 5 * SECOND_MS;

interface GivenBack {
  pages: number;
  milliseconds: number;
}

const NOTHING: GivenBack = { pages: 0, milliseconds: 0 };

/** Pages of the SQLite file whose rows were deleted. Servers manage their own files. */
@Injectable()
export class FreePages {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /**
   * Moves pages from the end of the file to free ones for up to five seconds, in short steps between the writes of
   * requests; the file gets shorter at the next checkpoint. Returns how many pages were given back. Does nothing in a
   * file that something else has created, without `auto_vacuum`.
   * @param now a clock, in milliseconds
   */
  async giveBack(signal?: AbortSignal, now = () => performance.now()): Promise<number> {
    if (engineOf(this.dataSource).fileOf(this.dataSource.options) === undefined) return 0;
    const endsAt = now() + RUN_MS;
    const pace = new Pace(now);
    let total = 0;
    for (let step = MIN_STEP; !signal?.aborted && now() < endsAt;) {
      const { pages, milliseconds } = await this.unitOfWork
        .outsideTransaction(({ dataSource }) => Promise.resolve(giveBackSome(dataSource, step, now)))
        .catch((error: unknown) => this.skip(error));
      if (pages === 0) break;
      total += pages;
      if (milliseconds > STEP_MS) step = Math.max(MIN_STEP, step >> 1);
      else if (milliseconds < STEP_MS / 2) step = Math.min(MAX_STEP, step << 1);
      await pace.pause();
    }
    return total;
  }

  /** Until the next run, because another process is writing, or the disk is full or fails. */
  private skip(error: unknown): GivenBack {
    if (!isUnavailable(error)) throw error;
    const code = databaseErrorCode(error);
    if (!code.startsWith('SQLITE_BUSY')) {
      this.log.warning('Free space of the database file cannot be given back to the disk', { code });
    }
    return NOTHING;
  }
}

/** Gives pages back if more than enough are free. */
function giveBackSome(writer: DataSource, atMost: number, now: () => number): GivenBack {
  const database = databaseOf(writer);
  const read = (name: string) => database.pragma(name, { simple: true }) as number;
  const free = read('freelist_count');
  const surplus = Math.floor(free - Math.max(KEPT_PAGES, read('page_count') * KEPT_SHARE));
  if (surplus <= 0) return NOTHING;
  const beganAt = now();
  database.pragma(`incremental_vacuum(${Math.min(surplus, atMost)})`);
  return { pages: free - read('freelist_count'), milliseconds: now() - beganAt };
}

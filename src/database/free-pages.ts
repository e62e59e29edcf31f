import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { databaseErrorCode } from './errors/database-error.js';
import { Pace } from './pace.js';
import { databaseOf } from './statements/statements.js';
import { UnitOfWork } from './transactions/unit-of-work.js';

/** Kept for new rows: giving pages back and taking them again each day would cost more than they do. */
const KEPT_SHARE = 0.1;
const KEPT_PAGES = 1000;

const FIRST_STEP = 16;
const MAX_STEP = 1024;
/** A step is made smaller above this time, and larger below half of it. */
const STEP_MS = 10;

/** Pages of the SQLite file whose rows were deleted. Servers manage their own files. */
@Injectable()
export class FreePages {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Moves pages from the end of the file to free ones, in short steps between the writes of requests; the file gets
   * shorter at the next checkpoint. Returns how many pages were given back. Does nothing in a file of a build that
   * created it without `auto_vacuum`.
   */
  async giveBack(signal?: AbortSignal): Promise<number> {
    if (this.dataSource.options.type !== 'better-sqlite3') return 0;
    const pace = new Pace();
    let total = 0;
    for (let step = FIRST_STEP; !signal?.aborted;) {
      const { pages, milliseconds } = await this.unitOfWork.outsideTransaction(({ dataSource }) =>
        Promise.resolve(giveBackSome(dataSource, step)),
      );
      if (pages === 0) break;
      total += pages;
      if (milliseconds > STEP_MS) step = Math.max(1, step >> 1);
      else if (milliseconds < STEP_MS / 2) step = Math.min(MAX_STEP, step << 1);
      await pace.pause();
    }
    return total;
  }
}

/** Returns how many pages fewer are free than before: none when enough were, or another process is writing. */
function giveBackSome(writer: DataSource, atMost: number): { pages: number; milliseconds: number } {
  const database = databaseOf(writer);
  const read = (name: string) => database.pragma(name, { simple: true }) as number;
  const free = read('freelist_count');
  const surplus = Math.floor(free - Math.max(KEPT_PAGES, read('page_count') * KEPT_SHARE));
  if (surplus <= 0) return { pages: 0, milliseconds: 0 };
  const beganAt = performance.now();
  try {
    database.pragma(`incremental_vacuum(${Math.min(surplus, atMost)})`);
  } catch (error) {
    if (!databaseErrorCode(error).startsWith('SQLITE_BUSY')) throw error;
  }
  return { pages: free - read('freelist_count'), milliseconds: performance.now() - beganAt };
}

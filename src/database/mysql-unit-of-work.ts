import { setTimeout } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { commit } from './commit.js';
import { isLostRace } from './database-error.js';
import { markTransaction } from './mark-transaction.js';
import { runStatement } from './statements.js';
import type { Work } from './unit-of-work.js';
import { UnitOfWork } from './unit-of-work.js';
import { WriteGroups } from './write-groups.js';
import type { Write } from './write.js';
import { makeWrites } from './write.js';

const PATIENCE_MS = 10_000;
/** Enough to try again after a deadlock, and not after a wait for a lock. */
const PATIENCE_OF_GROUPS_MS = 1000;
const LONGEST_PAUSE_MS = 100;

/**
 * Each unit is a transaction of its own, tried again when the server chose it as the victim of a deadlock.
 * Writes that come together share one. Those that change rows have to wait for locks more often than those that only
 * add some, and so do not share with them; where a group has waited for one in vain, each is made by itself.
 */
export class MysqlUnitOfWork extends UnitOfWork {
  private readonly additions = this.groups();
  private readonly changes = this.groups();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: Work<T>): Promise<T> {
    return this.tryFor(PATIENCE_MS, work);
  }

  write(write: Write): Promise<boolean> {
    return (write.change ? this.changes : this.additions).ask(write);
  }

  betweenUnits<T>(statement: () => Promise<T>): Promise<T> {
    return statement();
  }

  private groups(): WriteGroups {
    return new WriteGroups((writes) =>
      this.tryFor(writes.length > 1 ? PATIENCE_OF_GROUPS_MS : PATIENCE_MS, (manager) =>
        makeWrites(manager, writes),
      ),
    );
  }

  private async tryFor<T>(milliseconds: number, work: Work<T>): Promise<T> {
    const patience = Date.now() + milliseconds;
    for (let tries = 1; ; tries++) {
      try {
        return await this.transaction(work);
      } catch (error) {
        if (!isLostRace(error) || Date.now() > patience) throw error;
        await setTimeout(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
      }
    }
  }

  private async transaction<T>(work: Work<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runStatement(runner, 'START TRANSACTION');
      markTransaction(runner, true);
      const result = await work(runner.manager);
      await commit(runner);
      return result;
    } catch (error) {
      await abandon(runner);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

async function abandon(runner: QueryRunner): Promise<void> {
  try {
    await runStatement(runner, 'ROLLBACK');
  } catch {
    // the connection has gone, and the transaction with it
  }
}

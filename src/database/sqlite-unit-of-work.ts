import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { DataSource, QueryRunner } from 'typeorm';
import { commit } from './commit.js';
import { databaseErrorCode, isUnavailable } from './database-error.js';
import { markTransaction } from './mark-transaction.js';
import { writeAgain } from './sqlite-connection.js';
import { runStatement } from './statements.js';
import type { Work } from './unit-of-work.js';
import { UnitOfWork } from './unit-of-work.js';
import { WriteGroups } from './write-groups.js';
import type { Write } from './write.js';
import { makeWrites } from './write.js';

const LARGEST_GROUP = 100;
const BUSY_RETRY_MS = 5;
const BUSY_PATIENCE_MS = 10_000;

interface WaitingUnit {
  /** Runs the work inside the open group; gives back how to answer once the group is committed. */
  perform(runner: QueryRunner): Promise<() => void>;
  fail(error: unknown): void;
}

/**
 * Units take turns on the one connection, and those that wait are committed together: flushing to disk is what
 * costs, and nobody is answered before it is done.
 */
export class SqliteUnitOfWork extends UnitOfWork {
  private readonly waiting: WaitingUnit[] = [];
  private readonly waitingForAGap: (() => Promise<void>)[] = [];
  private readonly writes = new WriteGroups((writes) => this.run((manager) => makeWrites(manager, writes)));
  private isWorking = false;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({
        perform: async (runner) => {
          const result = await inSavepoint(runner, work);
          return () => {
            resolve(result);
          };
        },
        fail: reject,
      });
      void this.workOff();
    });
  }

  write(write: Write): Promise<boolean> {
    return this.writes.ask(write);
  }

  betweenUnits<T>(statement: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waitingForAGap.push(() => statement().then(resolve, reject));
      void this.workOff();
    });
  }

  private async workOff(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    while (this.waiting.length + this.waitingForAGap.length > 0) {
      await setImmediate(); // lets requests that arrived together join the group
      for (const statement of this.waitingForAGap.splice(0)) await statement();
      if (this.waiting.length > 0) await this.commitGroup();
    }
    this.isWorking = false;
  }

  private nextGroup(): WaitingUnit[] {
    return this.waiting.splice(0, LARGEST_GROUP);
  }

  private async commitGroup(): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await begin(runner);
    } catch (error) {
      await abandon(runner); // should it be open all the same, none after it could begin
      this.nextGroup().forEach((unit) => {
        unit.fail(error);
      });
      return;
    }

    const group = this.nextGroup(); // with those who have come while another process was writing
    const undecided = new Set(group);
    const answers: (() => void)[] = [];
    try {
      for (const unit of group) {
        try {
          answers.push(await unit.perform(runner));
        } catch (error) {
          if (error instanceof GroupLost) throw error.cause;
          undecided.delete(unit);
          unit.fail(error);
        }
      }
      await commit(runner);
      markTransaction(runner, false);
      answers.forEach((answer) => {
        answer();
      });
    } catch (error) {
      await abandon(runner);
      const reason = isUnavailable(error) ? error : new GroupLost('rolled back', { cause: error });
      undecided.forEach((unit) => {
        unit.fail(reason);
      });
    }
  }
}

/** The whole group went with one unit: SQLite itself has rolled back (a full disk does that). */
class GroupLost extends Error {
  readonly code = 'SQLITE_ABORT_ROLLBACK';
}

async function inSavepoint<T>(runner: QueryRunner, work: Work<T>): Promise<T> {
  await runStatement(runner, 'SAVEPOINT unit');
  try {
    const result = await work(runner.manager);
    await runStatement(runner, 'RELEASE unit');
    return result;
  } catch (error) {
    try {
      await runStatement(runner, 'ROLLBACK TO unit');
      await runStatement(runner, 'RELEASE unit');
    } catch {
      throw new GroupLost('rolled back', { cause: error });
    }
    throw error;
  }
}

/** IMMEDIATE, because a transaction that turns from reading to writing fails at once when another process writes. */
async function begin(runner: QueryRunner): Promise<void> {
  const patience = Date.now() + BUSY_PATIENCE_MS;
  for (;;) {
    try {
      await runStatement(runner, 'BEGIN IMMEDIATE');
      markTransaction(runner, true);
      return;
    } catch (error) {
      if (!databaseErrorCode(error).startsWith('SQLITE_BUSY') || Date.now() > patience) throw error;
      await setTimeout(BUSY_RETRY_MS);
    }
  }
}

async function abandon(runner: QueryRunner): Promise<void> {
  markTransaction(runner, false);
  try {
    await runStatement(runner, 'ROLLBACK');
  } catch {
    // there is no transaction any more
  }
  writeAgain((await runner.connect()) as Database);
}

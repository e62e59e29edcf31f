import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { databaseErrorCode, isUnavailable, CommitOutcomeUnknown } from '../errors/database-error.js';
import { leaveReadOnly } from './sqlite-connection.js';
import { databaseOf, executeOnSqlite } from './execute-on-sqlite.js';
import type { Work, Statement, Transaction } from '../transactions/unit-of-work.js';
import { UnitOfWork, ReplacedVersions, markTransaction } from '../transactions/unit-of-work.js';

const MAX_BATCH_SIZE = 100;
const BUSY_RETRY_MS = 5;
const BUSY_TIMEOUT_MS = 10_000;

interface PendingWrite {
  tx: Transaction;
  resolve: (isCommitted: boolean) => void;
  reject: (error: unknown) => void;
}

interface PendingWork {
  /** Runs the work in a savepoint of the open transaction; returns what to call after the commit. */
  run: (runner: QueryRunner) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/**
 * Runs all writes to SQLite one after the other on a connection that is not used for reads, so uncommitted data is
 * never seen. Pending writes are committed together (group commit), because the flush to disk is the expensive part;
 * they resolve only after it. docs/decisions/0001 contains the reasons.
 */
export class SqliteUnitOfWork extends UnitOfWork implements OnApplicationShutdown {
  private readonly writes: PendingWrite[] = [];
  private readonly transactions: PendingWork[] = [];
  private readonly outside: (() => Promise<void>)[] = [];
  private isRunning = false;

  /** @param writer a connection that only this object uses */
  constructor(private readonly writer: DataSource) {
    super();
  }

  protected runTransaction<T>(work: Work<T>): Promise<T> {
    const inCallersContext = AsyncLocalStorage.snapshot(); // the queue runs in that of whichever request started it
    return new Promise<T>((resolve, reject) => {
      const run = async (runner: QueryRunner) => {
        const result = await inCallersContext(() => this.inSavepoint(runner, work));
        return () => {
          resolve(result);
        };
      };
      this.transactions.push({ run, reject });
      void this.process();
    });
  }

  protected commit(tx: Transaction): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.writes.push({ tx, resolve, reject });
      void this.process();
    });
  }

  outsideTransaction<T>(work: Work<T>): Promise<T> {
    const run = async () => work(this.writer.manager); // rejects also when the work throws at once
    return new Promise<T>((resolve, reject) => {
      this.outside.push(() => run().then(resolve, reject));
      void this.process();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.writer.isInitialized) await this.writer.destroy();
  }

  private async process(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    while (this.writes.length + this.transactions.length + this.outside.length > 0) {
      await setImmediate(); // requests that were read in the same turn of the event loop join the batch
      for (const work of this.outside.splice(0)) await work();
      if (this.writes.length > 0) await this.commitWrites();
      if (this.transactions.length > 0) await this.commitTransactions();
    }
    this.isRunning = false;
  }

  private async commitWrites(): Promise<void> {
    const nextBatch = () => this.writes.splice(0, MAX_BATCH_SIZE);
    let batch: PendingWrite[] = [];
    try {
      await this.begin();
      batch = nextBatch(); // includes writes that arrived while another process was writing
      this.commitBatch(batch);
    } catch (error) {
      this.rollBack();
      const isOneAtFault = batch.length > 1 && !isUnavailable(error);
      if (isOneAtFault) await this.commitOneByOne(batch);
      else rejectAll(batch.length > 0 ? batch : nextBatch(), error);
    }
  }

  /** Synchronous: nothing else runs between its statements and the commit. */
  private commitBatch(batch: PendingWrite[]): void {
    const replaced = new ReplacedVersions();
    const committed = batch.map(({ tx }) => this.execute(tx, replaced));
    this.commitTransaction();
    batch.forEach(({ resolve }, index) => {
      resolve(committed[index] as boolean);
    });
  }

  private async commitOneByOne(batch: PendingWrite[]): Promise<void> {
    for (const pending of batch) {
      try {
        await this.begin();
        this.commitBatch([pending]);
      } catch (error) {
        this.rollBack();
        pending.reject(error);
      }
    }
  }

  private execute({ conditionalUpdate, rows, statements }: Transaction, replaced: ReplacedVersions): boolean {
    if (conditionalUpdate) {
      if (replaced.has(conditionalUpdate) || this.affectedBy(conditionalUpdate) !== 1) return false;
      replaced.add(conditionalUpdate);
    }
    for (const { table, values } of rows) this.affectedBy({ sql: table.sqlFor(1), values });
    for (const statement of statements) this.affectedBy(statement);
    return true;
  }

  private async commitTransactions(): Promise<void> {
    const nextBatch = () => this.transactions.splice(0, MAX_BATCH_SIZE);
    let undecided = new Set<PendingWork>();
    const failed = new Map<PendingWork, unknown>();
    const runner = this.writer.createQueryRunner();
    try {
      await this.begin();
      markTransaction(runner, true);
      undecided = new Set(nextBatch());
      const callbacks = await this.runAll(undecided, failed, runner);
      this.commitTransaction();
      markTransaction(runner, false);
      callbacks.forEach((callback) => {
        callback();
      });
    } catch (error) {
      markTransaction(runner, false);
      this.rollBack();
      if (undecided.size === 0) rejectAll(nextBatch(), error);
      else
        rejectAll(
          undecided,
          isUnavailable(error) ? error : new BatchRolledBack('rolled back', { cause: error }),
        );
    } finally {
      for (const [work, error] of failed) work.reject(error);
    }
  }

  /**
   * Moves transactions that fail without affecting the others from `transactions` to `failed`. They are rejected after the
   * commit: what made one fail, such as a row of another, can be read then.
   */
  private async runAll(
    transactions: Set<PendingWork>,
    failed: Map<PendingWork, unknown>,
    runner: QueryRunner,
  ): Promise<(() => void)[]> {
    const callbacks: (() => void)[] = [];
    for (const work of transactions) {
      try {
        callbacks.push(await work.run(runner));
      } catch (error) {
        if (error instanceof BatchRolledBack) throw error.cause;
        transactions.delete(work);
        failed.set(work, error);
      }
    }
    return callbacks;
  }

  private async inSavepoint<T>(runner: QueryRunner, work: Work<T>): Promise<T> {
    this.affectedBy({ sql: 'SAVEPOINT work', values: [] });
    try {
      const result = await work(runner.manager);
      this.affectedBy({ sql: 'RELEASE work', values: [] });
      return result;
    } catch (error) {
      try {
        this.affectedBy({ sql: 'ROLLBACK TO work', values: [] });
        this.affectedBy({ sql: 'RELEASE work', values: [] });
      } catch {
        throw new BatchRolledBack('rolled back', { cause: error });
      }
      throw error;
    }
  }

  /**
   * IMMEDIATE, because a transaction that first reads and then writes fails immediately when another process writes.
   */
  private async begin(): Promise<void> {
    const deadline = Date.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        this.affectedBy({ sql: 'BEGIN IMMEDIATE', values: [] });
        return;
      } catch (error) {
        if (!databaseErrorCode(error).startsWith('SQLITE_BUSY') || Date.now() > deadline) throw error;
        await setTimeout(BUSY_RETRY_MS);
      }
    }
  }

  /** @throws CommitOutcomeUnknown when the disk failed: the transaction may be committed nevertheless */
  private commitTransaction(): void {
    try {
      this.affectedBy({ sql: 'COMMIT', values: [] });
    } catch (error) {
      throw databaseErrorCode(error).startsWith('SQLITE_IOERR')
        ? new CommitOutcomeUnknown('COMMIT', [], error as Error)
        : error;
    }
  }

  private rollBack(): void {
    try {
      this.affectedBy({ sql: 'ROLLBACK', values: [] });
    } catch {
      // SQLite has already rolled back the transaction
    }
    leaveReadOnly(databaseOf(this.writer));
  }

  private affectedBy({ sql, values }: Statement): number {
    return executeOnSqlite(this.writer, sql, values).affected;
  }
}

/** One work failed and the whole batch was rolled back: SQLite does that when the disk is full. */
class BatchRolledBack extends Error {
  readonly code = 'SQLITE_ABORT_ROLLBACK';
}

function rejectAll(batch: Iterable<PendingWrite | PendingWork>, error: unknown): void {
  for (const { reject } of batch) reject(error);
}

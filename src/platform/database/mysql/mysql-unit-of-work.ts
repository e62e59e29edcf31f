import { setTimeout } from 'node:timers/promises';
import type { DataSource, QueryFailedError, QueryRunner } from 'typeorm';
import {
  CommitOutcomeUnknown,
  isRefusedByServer,
  isRetryableConflict,
  mayHaveCommitted,
} from '../errors/database-error.js';
import { markTransaction } from '../transactions/mark-transaction.js';
import { executeWrites } from './mysql-writes.js';
import { runStatement } from '../statements/statements.js';
import type { Work, Transaction } from '../transactions/unit-of-work.js';
import { UnitOfWork } from '../transactions/unit-of-work.js';
import { WriteBatcher } from './write-batcher.js';

const RETRY_FOR_MS = 10_000;
/** Enough to retry after a deadlock, and not after a lock wait timeout. */
const RETRY_BATCH_FOR_MS = 1000;
const MAX_BACKOFF_MS = 100;

/**
 * Each `run` is a transaction of its own, retried when it fails because of another one, such as in a deadlock, and once
 * when the server refuses it: a new connection may reach another server.
 * Writes that arrive together share a transaction. Writes with a conditional update wait for row locks more often than
 * plain inserts, so the two kinds are not mixed; a batch that times out on a lock is split into single writes.
 */
export class MysqlUnitOfWork extends UnitOfWork {
  private readonly inserts = this.batcher();
  private readonly updates = this.batcher();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  protected runTransaction<T>(work: Work<T>): Promise<T> {
    return this.retry(RETRY_FOR_MS, work);
  }

  protected commit(tx: Transaction): Promise<boolean> {
    return (tx.conditionalUpdate || tx.statements.length > 0 ? this.updates : this.inserts).submit(tx);
  }

  async outsideTransaction<T>(work: Work<T>): Promise<T> {
    return work(this.dataSource.manager);
  }

  private batcher(): WriteBatcher {
    return new WriteBatcher((writes) =>
      this.retry(writes.length > 1 ? RETRY_BATCH_FOR_MS : RETRY_FOR_MS, (manager) =>
        executeWrites(manager, writes),
      ),
    );
  }

  private async retry<T>(milliseconds: number, work: Work<T>): Promise<T> {
    const deadline = Date.now() + milliseconds;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transaction(work);
      } catch (error) {
        const isWorthRetrying = isRetryableConflict(error)
          ? Date.now() <= deadline
          : isRefusedByServer(error) && attempt === 1;
        if (!isWorthRetrying) throw error;
        await setTimeout(Math.random() * Math.min(MAX_BACKOFF_MS, 2 ** attempt));
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
      await rollBack(runner);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

/** @throws CommitOutcomeUnknown when the connection was lost: the transaction may be committed nevertheless */
async function commit(runner: QueryRunner): Promise<void> {
  try {
    await runStatement(runner, 'COMMIT');
  } catch (error) {
    if (!mayHaveCommitted(error)) throw error;
    throw new CommitOutcomeUnknown('COMMIT', [], (error as QueryFailedError).driverError);
  }
}

async function rollBack(runner: QueryRunner): Promise<void> {
  try {
    await runStatement(runner, 'ROLLBACK');
  } catch {
    // the connection is lost, which ends the transaction
  }
}

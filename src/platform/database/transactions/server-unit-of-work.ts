import { setTimeout } from 'node:timers/promises';
import type { DataSource, QueryFailedError, QueryRunner } from 'typeorm';
import {
  CommitOutcomeUnknown,
  isRefusedByServer,
  isRetryableConflict,
  isUnavailable,
  mayHaveCommitted,
} from '../errors/database-error.js';
import { Batcher } from './batcher.js';
import type { Work, Transaction } from './unit-of-work.js';
import { UnitOfWork, markTransaction } from './unit-of-work.js';

/** Usually a batch fits into one packet of the server; one that does not is split. */
const MAX_BATCH_BYTES = 1_048_576;

/** Writes that arrive together share one transaction. */
export class WriteBatcher extends Batcher<Transaction, boolean> {
  /**
   * @param commit commits all writes, or rejects and commits none; returns for each whether its conditional update
   * matched
   */
  constructor(commit: (writes: Transaction[]) => Promise<boolean[]>) {
    super(async (writes) => {
      try {
        return await commit(writes);
      } catch (error) {
        if (writes.length === 1 || (isUnavailable(error) && !isRetryableConflict(error))) throw error;
        // one write fails, is too large or waits for a lock, which must not fail the others
        return writes.map(async (write) => (await commit([write])).every(Boolean));
      }
    }, limitBatchBytes);
  }
}

function limitBatchBytes(writes: Transaction[]): number {
  let bytes = 0;
  const tooMany = writes.findIndex((write) => (bytes += bytesOf(write)) > MAX_BATCH_BYTES);
  return tooMany < 0 ? writes.length : Math.max(tooMany, 1);
}

function bytesOf({ rows }: Transaction): number {
  let bytes = 0;
  for (const { values } of rows)
    for (const value of values) if (Buffer.isBuffer(value)) bytes += value.length;
  return bytes;
}

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
export abstract class ServerUnitOfWork extends UnitOfWork {
  private readonly inserts = this.batcher();
  private readonly updates = this.batcher();

  constructor(protected readonly dataSource: DataSource) {
    super();
  }

  /** Begins a transaction. */
  protected abstract begin(runner: QueryRunner): Promise<void>;

  /** Executes a COMMIT or ROLLBACK. */
  protected abstract end(runner: QueryRunner, sql: string): Promise<void>;

  /** Commits all writes in one transaction; returns for each whether its conditional update matched. */
  protected abstract commitTogether(writes: Transaction[]): Promise<boolean[]>;

  protected runTransaction<T>(work: Work<T>): Promise<T> {
    return retried(RETRY_FOR_MS, () => this.transaction(work));
  }

  protected commit(tx: Transaction): Promise<boolean> {
    return (tx.conditionalUpdate || tx.statements.length > 0 ? this.updates : this.inserts).submit(tx);
  }

  async outsideTransaction<T>(work: Work<T>): Promise<T> {
    return work(this.dataSource.manager);
  }

  protected override get lock() {
    return { lock: { mode: 'pessimistic_write' as const } };
  }

  protected async transaction<T>(work: Work<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await this.begin(runner);
      markTransaction(runner, true);
      const result = await work(runner.manager);
      await committed(this.end(runner, 'COMMIT'));
      return result;
    } catch (error) {
      const isConnectionLost = runner.isReleased; // TypeORM has done it, as on PostgreSQL between two statements
      await this.rollBack(runner);
      throw isConnectionLost ? Object.assign(error as Error, { fatal: true }) : error;
    } finally {
      await runner.release();
    }
  }

  /** Never rejects: a lost connection ends the transaction as well. */
  protected async rollBack(runner: QueryRunner): Promise<void> {
    await this.end(runner, 'ROLLBACK').catch(() => undefined);
  }

  private batcher(): WriteBatcher {
    return new WriteBatcher((writes) =>
      retried(writes.length > 1 ? RETRY_BATCH_FOR_MS : RETRY_FOR_MS, () => this.commitTogether(writes)),
    );
  }
}

/** @throws CommitOutcomeUnknown when the connection was lost: the transaction may be committed nevertheless */
export async function committed<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit;
  } catch (error) {
    if (!mayHaveCommitted(error)) throw error;
    throw new CommitOutcomeUnknown('COMMIT', [], (error as QueryFailedError).driverError);
  }
}

async function retried<T>(milliseconds: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const isWorthRetrying = isRetryableConflict(error)
        ? Date.now() <= deadline
        : isRefusedByServer(error) && count === 1;
      if (!isWorthRetrying) throw error;
      await setTimeout(Math.random() * Math.min(MAX_BACKOFF_MS, 2 ** count));
    }
  }
}

import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { Write } from './write.js';

/** What one transaction does. It may run more than once, so it changes nothing but the database, and does nothing slow. */
export type Work<T> = (manager: EntityManager) => Promise<T>;

/** The only way to write. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in a transaction: all of it is kept or nothing. Resolves after the commit.
   * Never nested: pass the manager on instead.
   */
  abstract run<T>(work: Work<T>): Promise<T>;

  /**
   * Commits statements that are known beforehand, together with those of other requests. Resolves after the commit,
   * with whether the write was kept: it is not when its guard no longer matches.
   */
  abstract write(write: Write): Promise<boolean>;

  /** Runs statements that must not be part of a transaction, and sees no transaction that is still open. */
  abstract outsideTransaction<T>(work: Work<T>): Promise<T>;

  /**
   * The row, locked until the transaction of `manager` ends, or null. On SQLite the transaction has the whole database.
   */
  findForUpdate<Row extends ObjectLiteral>(
    manager: EntityManager,
    entity: EntityTarget<Row>,
    where: FindOptionsWhere<Row>,
  ): Promise<Row | null> {
    const isServer = manager.dataSource.options.type !== 'better-sqlite3';
    return manager.findOne(entity, { where, ...(isServer && { lock: { mode: 'pessimistic_write' } }) });
  }
}

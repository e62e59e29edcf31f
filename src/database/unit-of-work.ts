import type { EntityManager } from 'typeorm';

/** What belongs together. It may run more than once, so it changes nothing but the database, and does nothing slow. */
export type Work<T> = (manager: EntityManager) => Promise<T>;

/** The one way to write. */
export abstract class UnitOfWork {
  /**
   * Runs `work` so that all of it is kept or nothing; resolves only when it is kept for good.
   * Never nested: hand the manager on instead.
   */
  abstract run<T>(work: Work<T>): Promise<T>;

  /** Runs a statement that must not fall into an open transaction. */
  abstract betweenUnits<T>(statement: () => Promise<T>): Promise<T>;
}

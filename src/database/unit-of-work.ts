import type { EntityManager } from 'typeorm';
import type { Write } from './write.js';

/** What belongs together. It may run more than once, so it changes nothing but the database, and does nothing slow. */
export type Work<T> = (manager: EntityManager) => Promise<T>;

/** The one way to write. */
export abstract class UnitOfWork {
  /**
   * Runs `work` so that all of it is kept or nothing; resolves only when it is kept for good.
   * Never nested: hand the manager on instead.
   */
  abstract run<T>(work: Work<T>): Promise<T>;

  /** Makes what is known beforehand. Tells whether it was made: not when the row to change is no longer as it was seen. */
  abstract write(write: Write): Promise<boolean>;

  /** Runs a statement that must not fall into an open transaction. */
  abstract betweenUnits<T>(statement: () => Promise<T>): Promise<T>;
}

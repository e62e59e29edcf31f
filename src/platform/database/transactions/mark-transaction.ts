import type { QueryRunner } from 'typeorm';

/** Marks a transaction that TypeORM did not begin as active, so that its `save()` does not begin another. */
export function markTransaction(runner: QueryRunner, isActive: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = isActive;
}

import type { QueryRunner } from 'typeorm';

/** Tells TypeORM of a transaction that it has not opened, so that its `save()` opens none of its own. */
export function markTransaction(runner: QueryRunner, isActive: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = isActive;
}

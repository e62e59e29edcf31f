import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds when a push was last viewed. Earlier views are known by other columns, except of pushes that ended otherwise.
 */
export class LastViews1764100000000 implements MigrationInterface {
  name = 'LastViews1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (await runner.hasColumn('pushes', 'last_viewed_at')) return;
    await runner.query('ALTER TABLE pushes ADD COLUMN last_viewed_at datetime(3)'); // addColumn() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pushes DROP COLUMN last_viewed_at');
  }
}

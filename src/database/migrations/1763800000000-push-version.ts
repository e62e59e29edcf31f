import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PushVersion1763800000000 implements MigrationInterface {
  name = 'PushVersion1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (await runner.hasColumn('pushes', 'version')) return;
    await runner.query('ALTER TABLE pushes ADD COLUMN version integer NOT NULL DEFAULT 0'); // addColumn() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pushes DROP COLUMN version');
  }
}

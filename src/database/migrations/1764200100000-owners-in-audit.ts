import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds whether the owner of a push caused an audit entry, which is not known of existing ones. */
export class OwnersInAudit1764200100000 implements MigrationInterface {
  name = 'OwnersInAudit1764200100000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (await runner.hasColumn('audit_entries', 'by_owner')) return;
    const boolean = runner.dataSource.driver.normalizeType({ type: 'boolean' });
    // addColumn() copies the table on SQLite
    await runner.query(`ALTER TABLE audit_entries ADD COLUMN by_owner ${boolean} NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN by_owner');
  }
}

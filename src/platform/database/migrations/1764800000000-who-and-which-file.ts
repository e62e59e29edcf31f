import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which file was downloaded, for the owner of a push, and whether mails with links name the account that sends them. */
export class WhoAndWhichFile1764800000000 implements MigrationInterface {
  name = 'WhoAndWhichFile1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of columnsOf(runner)) {
      // a server does not roll back a column that it added before a start was killed
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD ${column} ${type}`); // addColumn would copy the table on SQLite
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of columnsOf(runner))
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

function columnsOf({ dataSource: { driver } }: QueryRunner): [table: string, column: string, type: string][] {
  return [
    ['audit_entries', 'file_number', 'integer'],
    ['users', 'named_in_mails', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 1`],
  ];
}

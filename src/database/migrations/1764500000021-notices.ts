import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns to add by table. No existing push or account asks for mails. */
const COLUMNS: [table: string, column: string, type: string][] = [
  ['pushes', 'notify_on', 'integer NOT NULL DEFAULT 0'],
  ['pushes', 'passphrase_notice_at', 'datetime(3)'],
  ['users', 'notify_on', 'integer NOT NULL DEFAULT 0'],
  ['users', 'language', 'varchar(8)'],
];

/** Adds about which events owners of pushes get mails. */
export class Notices1764500000021 implements MigrationInterface {
  name = 'Notices1764500000021';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of COLUMNS) {
      // a server does not roll back a column that it added before a start was killed
      if (await runner.hasColumn(table, column)) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`); // addColumn() copies the table on SQLite
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

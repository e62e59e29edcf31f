import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to passphrase attempts until when each is being checked, and the wider network that it came from. */
export class AttemptOutcomes1764000000000 implements MigrationInterface {
  name = 'AttemptOutcomes1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back columns that it added before a start was killed
    const add = async (table: string, column: string, type: string) => {
      if (await runner.hasColumn(table, column)) return;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`); // addColumn() copies the table on SQLite
    };
    await add('passphrase_attempts', 'pending_until', 'datetime(3)');
    await add('passphrase_attempts', 'wide_network', 'varchar(45)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE passphrase_attempts DROP COLUMN wide_network');
    await runner.query('ALTER TABLE passphrase_attempts DROP COLUMN pending_until');
  }
}

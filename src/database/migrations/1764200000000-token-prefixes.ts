import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the first characters of API tokens, which existing ones do not have: only their digests are known. */
export class TokenPrefixes1764200000000 implements MigrationInterface {
  name = 'TokenPrefixes1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (await runner.hasColumn('api_tokens', 'prefix')) return;
    await runner.query('ALTER TABLE api_tokens ADD COLUMN prefix varchar(6)'); // addColumn() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens DROP COLUMN prefix');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds whether a client has encrypted a push. None of the existing pushes is. */
export class ClientEncryption1764300000000 implements MigrationInterface {
  name = 'ClientEncryption1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (await runner.hasColumn('pushes', 'client_encrypted')) return;
    await runner.query('ALTER TABLE pushes ADD COLUMN client_encrypted boolean NOT NULL DEFAULT 0'); // addColumn() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pushes DROP COLUMN client_encrypted');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableIndex } from 'typeorm';

/** Adds to sign-in attempts the wider network that each came from. */
export class SignInNetworks1764000100000 implements MigrationInterface {
  name = 'SignInNetworks1764000100000';

  async up(runner: QueryRunner): Promise<void> {
    // a server does not roll back a column that it added before a start was killed
    if (!(await runner.hasColumn('sign_in_attempts', 'wide_network')))
      await runner.query('ALTER TABLE sign_in_attempts ADD COLUMN wide_network varchar(45)');
    const index = new TableIndex({ columnNames: ['wide_network', 'attempted_at'] });
    const name = runner.dataSource.namingStrategy.indexName('sign_in_attempts', index.columnNames);
    const table = await runner.getTable('sign_in_attempts');
    if (table?.indices.some((other) => other.name === name)) return;
    await runner.query(`CREATE INDEX ${name} ON sign_in_attempts (wide_network, attempted_at)`); // createIndex() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    const index = ['wide_network', 'attempted_at'];
    await runner.dropIndex(
      'sign_in_attempts',
      runner.dataSource.namingStrategy.indexName('sign_in_attempts', index),
    );
    await runner.query('ALTER TABLE sign_in_attempts DROP COLUMN wide_network');
  }
}

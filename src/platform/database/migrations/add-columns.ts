import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** A column that a migration adds, with its type in SQL. */
export type NewColumn = [table: string, column: string, type: string];

/** A migration that adds columns and does nothing else. */
export abstract class AddColumns implements MigrationInterface {
  abstract name: string;

  protected abstract columnsOf(driver: DataSource['driver']): NewColumn[];

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of this.columnsOf(runner.dataSource.driver)) {
      // a server does not roll back a column that it added before a start was killed
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD ${column} ${type}`); // addColumn would copy the table on SQLite
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of this.columnsOf(runner.dataSource.driver))
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

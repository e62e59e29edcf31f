import type { QueryRunner } from 'typeorm';

/** A column that a migration adds, with its type in SQL. */
export type NewColumn = [table: string, column: string, type: string];

export async function addColumns(runner: QueryRunner, columns: NewColumn[]): Promise<void> {
  for (const [table, column, type] of columns) {
    // a server does not roll back a column that it added before a start was killed
    if (!(await runner.hasColumn(table, column)))
      await runner.query(`ALTER TABLE ${table} ADD ${column} ${type}`); // addColumn would copy the table on SQLite
  }
}

export async function dropColumns(runner: QueryRunner, columns: NewColumn[]): Promise<void> {
  for (const [table, column] of columns) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

import type { DataSource, MigrationInterface, QueryRunner, Table, TableForeignKeyOptions } from 'typeorm';
import { TableIndex } from 'typeorm';

export const IF_NOT_EXISTS = true; // a server does not roll back tables that it created before a start was killed

/** A column that a migration adds, with its type in SQL. */
export type NewColumn = [table: string, column: string, type: string];

/** An index of one column that a migration adds to a table that exists. */
export type NewIndex = [table: string, column: string];

/** A migration that adds tables, columns and indices and does nothing else. */
export abstract class Additions implements MigrationInterface {
  abstract name: string;

  protected abstract columnsOf(driver: DataSource['driver']): NewColumn[];

  /** Each after those that it refers to; none by default. */
  protected tablesOf?(runner: QueryRunner): Table[];

  /** None by default. */
  protected indicesOf?(): NewIndex[];

  async up(runner: QueryRunner): Promise<void> {
    for (const table of this.tablesOf?.(runner) ?? []) await runner.createTable(table, IF_NOT_EXISTS);
    for (const [table, column, type] of this.columnsOf(runner.dataSource.driver)) {
      // a server does not roll back a column that it added before a start was killed
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE ${table} ADD ${column} ${type}`); // addColumn would copy the table on SQLite
    }
    for (const [name, column] of this.indicesOf?.() ?? []) {
      const index = new TableIndex({ columnNames: [column] });
      const existing = (await runner.getTable(name))?.indices ?? []; // it may exist for the same reason
      if (!existing.some(({ columnNames }) => columnNames.join() === column))
        await runner.createIndex(name, index);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, column] of this.indicesOf?.() ?? [])
      await runner.dropIndex(name, runner.dataSource.namingStrategy.indexName(name, [column]));
    for (const [table, column] of this.columnsOf(runner.dataSource.driver))
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of this.tablesOf?.(runner).toReversed() ?? []) await runner.dropTable(name);
  }
}

/** Rows are removed with the row that `column` refers to. */
export function removedWith(table: string, column: string): TableForeignKeyOptions {
  return foreignKey(table, column, 'CASCADE');
}

/** The row that `column` refers to cannot be removed before. */
export function needs(table: string, column: string): TableForeignKeyOptions {
  return foreignKey(table, column, 'NO ACTION');
}

function foreignKey(table: string, column: string, onDelete: string): TableForeignKeyOptions {
  return {
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: ['id'],
    onDelete,
    onUpdate: 'NO ACTION',
  };
}

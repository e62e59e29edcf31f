import type {
  MigrationInterface,
  QueryRunner,
  TableColumnOptions,
  TableForeignKeyOptions,
  TableIndexOptions,
  TableOptions,
} from 'typeorm';
import { Table, TableColumn, TableIndex } from 'typeorm';
import { engineOf } from './engines/engines.js';

const IF_NOT_EXISTS = true;

/**
 * A migration that adds tables, columns, indices and rows, and does nothing else. What it adds is described for all
 * engines at once, with the types of `column`; the `where` of an index has no effect on MySQL and MariaDB. These do not
 * roll back what was added before a start was killed either, so each part may exist already.
 */
export abstract class AdditiveMigration implements MigrationInterface {
  /** Each after those that it refers to. */
  protected readonly tables: TableOptions[] = [];

  /** Those that tables get which exist already, by the name of the table; each is nullable or has a default. */
  protected readonly columns: Record<string, TableColumnOptions[]> = {};

  /** Those that tables get which exist already, by the name of the table. */
  protected readonly indices: Record<string, TableIndexOptions[]> = {};

  /** The first row of a table, by the name of the table, with its values as the database has them. */
  protected readonly rows: Record<string, Record<string, string | number>> = {};

  async up(runner: QueryRunner): Promise<void> {
    for (const table of this.tables) await runner.createTable(tableOn(runner, table), IF_NOT_EXISTS);
    for (const [table, column] of eachIn(this.columns)) {
      if (!(await runner.hasColumn(table, column.name))) await addColumn(runner, table, column);
    }
    for (const [table, options] of eachIn(this.indices)) {
      const index = new TableIndex(options);
      const existing = (await runner.getTable(table))?.indices ?? [];
      if (!existing.some(({ columnNames }) => columnNames.join() === index.columnNames.join()))
        await runner.createIndex(table, index);
    }
    for (const [table, row] of Object.entries(this.rows)) {
      const [existing] = (await runner.query(`SELECT 1 FROM ${table}`)) as unknown[];
      if (!existing) await insert(runner, table, row);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const { namingStrategy } = runner.dataSource;
    for (const [table, { name, columnNames = [], where }] of eachIn(this.indices))
      await runner.dropIndex(table, name ?? namingStrategy.indexName(table, columnNames, where));
    for (const [table, { name }] of eachIn(this.columns))
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    for (const { name } of this.tables.toReversed()) await runner.dropTable(name);
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

function eachIn<T>(byTable: Record<string, T[]>): [table: string, each: T][] {
  return Object.entries(byTable).flatMap(([table, all]) => all.map((each): [string, T] => [table, each]));
}

function tableOn(runner: QueryRunner, { columns = [], ...options }: TableOptions): Table {
  return new Table({ ...options, columns: columns.map((column) => columnOn(runner, column)) });
}

function columnOn({ dataSource }: QueryRunner, column: TableColumnOptions): TableColumnOptions {
  const type = dataSource.driver.normalizeType({ type: column.type as 'varchar' });
  return { ...engineOf(dataSource).tableColumn(column), type };
}

/** `QueryRunner.addColumn` would copy the table on SQLite. */
async function addColumn(runner: QueryRunner, table: string, options: TableColumnOptions): Promise<void> {
  const column = new TableColumn(columnOn(runner, options));
  const type = runner.dataSource.driver.createFullType(column);
  const collation =
    column.collation === undefined ? '' : ` COLLATE ${runner.dataSource.driver.escape(column.collation)}`;
  const required = column.isNullable ? '' : ` NOT NULL DEFAULT ${column.default}`;
  await runner.query(`ALTER TABLE ${table} ADD ${column.name} ${type}${collation}${required}`);
}

/** Not by TypeORM, which would convert the values as the entity does that has this table now. */
async function insert(
  runner: QueryRunner,
  table: string,
  row: Record<string, string | number>,
): Promise<void> {
  const { driver } = runner.dataSource;
  const parameters = Object.keys(row).map((name, index) => driver.createParameter(name, index));
  const names = Object.keys(row).join(', ');
  await runner.query(`INSERT INTO ${table} (${names}) VALUES (${parameters.join(', ')})`, Object.values(row));
}

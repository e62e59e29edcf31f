import type { EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { DataSource, QueryRunner } from 'typeorm';
import type { RawRow } from './statements.js';
import { runStatement } from './statements.js';

/** Values that a row must have; null asks for NULL. */
type Values<Row> = Partial<Record<keyof Row & string, unknown>>;

/**
 * The statements of the busiest paths for one entity: written once, prepared by the driver, with values converted as
 * TypeORM converts them. A query builder writes each statement anew, which costs more than running it.
 */
export class Table<Row extends ObjectLiteral> {
  private readonly metadata: EntityMetadata;
  private readonly columns: ReadonlyMap<string, ColumnMetadata>;
  private readonly insertStatement: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly entity: EntityTarget<Row> & (new () => Row),
  ) {
    this.metadata = dataSource.getMetadata(entity);
    this.columns = new Map(this.metadata.columns.map((column) => [column.propertyName, column]));
    const names = this.metadata.columns.map(({ databaseName }) => databaseName);
    const places = names.map(() => '?');
    this.insertStatement = `INSERT INTO ${this.metadata.tableName} (${names.join(', ')}) VALUES (${places.join(', ')})`;
  }

  /** Inserts a row of which every property is known. */
  async insert(manager: EntityManager, row: Row): Promise<void> {
    const values = this.metadata.columns.map((column) => this.toDatabase(column, row[column.propertyName]));
    await runStatement(runnerOf(manager), this.insertStatement, values);
  }

  /** Changes the row that is as `expected`; tells whether there was one. */
  async update(manager: EntityManager, expected: Values<Row>, change: Values<Row>): Promise<boolean> {
    const set = this.assignments(change);
    const where = this.conditions(expected);
    const statement = `UPDATE ${this.metadata.tableName} SET ${set.sql.join(', ')} WHERE ${where.sql.join(' AND ')}`;
    const values = [...set.values, ...where.values];
    return (await runStatement(runnerOf(manager), statement, values)).affected === 1;
  }

  /** The one row that is as `expected`, whole. */
  async findOne(expected: Values<Row>): Promise<Row | undefined> {
    const where = this.conditions(expected);
    const statement = `SELECT * FROM ${this.metadata.tableName} WHERE ${where.sql.join(' AND ')}`;
    const runner = this.dataSource.createQueryRunner();
    try {
      const [raw] = (await runStatement(runner, statement, where.values)).rows;
      return raw && this.fromDatabase(raw);
    } finally {
      await runner.release();
    }
  }

  private assignments(values: Values<Row>) {
    const entries = Object.entries(values).map(([name, value]) => ({ column: this.column(name), value }));
    return {
      sql: entries.map(({ column }) => `${column.databaseName} = ?`),
      values: entries.map(({ column, value }) => this.toDatabase(column, value)),
    };
  }

  private conditions(values: Values<Row>) {
    const entries = Object.entries(values).map(([name, value]) => ({ column: this.column(name), value }));
    return {
      sql: entries.map(({ column, value }) => `${column.databaseName} ${value === null ? 'IS NULL' : '= ?'}`),
      values: entries
        .filter(({ value }) => value !== null)
        .map(({ column, value }) => this.toDatabase(column, value)),
    };
  }

  private column(name: string): ColumnMetadata {
    const column = this.columns.get(name);
    if (!column) throw new Error(`${this.metadata.name} has no ${name}`);
    return column;
  }

  private toDatabase(column: ColumnMetadata, value: unknown): unknown {
    return value === null ? null : this.dataSource.driver.preparePersistentValue(value, column);
  }

  private fromDatabase(raw: RawRow): Row {
    const row = new this.entity() as Record<string, unknown>;
    for (const column of this.metadata.columns) {
      row[column.propertyName] = this.dataSource.driver.prepareHydratedValue(
        raw[column.databaseName],
        column,
      );
    }
    return row as Row;
  }
}

/** Units of work hand out managers that are bound to their connection. */
function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (!queryRunner) throw new Error('Rows are written in a unit of work alone.');
  return queryRunner;
}

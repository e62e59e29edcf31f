import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { DataSource } from 'typeorm';
import { Groups } from './groups.js';
import type { RawRow } from './statements.js';
import { runStatement } from './statements.js';
import type { NewRow, RowChange } from './write.js';
import { InsertStatements } from './write.js';

/** Values that a row must have; null asks for NULL. */
type Values<Row> = Partial<Record<keyof Row & string, unknown>>;

/**
 * The statements of the busiest paths for one entity: written once, prepared by the driver, with values converted as
 * TypeORM converts them. A query builder writes each statement anew, which costs more than running it.
 */
export class Table<Row extends ObjectLiteral> {
  private readonly metadata: EntityMetadata;
  private readonly columns: ReadonlyMap<string, ColumnMetadata>;
  private readonly inserts: InsertStatements;

  constructor(
    private readonly dataSource: DataSource,
    private readonly entity: EntityTarget<Row> & (new () => Row),
  ) {
    this.metadata = dataSource.getMetadata(entity);
    this.columns = new Map(this.metadata.columns.map((column) => [column.propertyName, column]));
    const names = this.metadata.columns.map(({ databaseName }) => databaseName);
    this.inserts = new InsertStatements(this.metadata.tableName, names);
  }

  /** A row of which every property is known, ready to be inserted. */
  newRow(row: Row): NewRow {
    return {
      into: this.inserts,
      values: this.metadata.columns.map((column) => this.toDatabase(column, row[column.propertyName])),
    };
  }

  /** A change of the row that is as `expected`. */
  changeOf(expected: Values<Row> & { id: string }, change: Values<Row>): RowChange {
    const set = this.assignments(change);
    const where = this.conditions(expected);
    return {
      id: expected.id,
      statement: `UPDATE ${this.metadata.tableName} SET ${set.sql.join(', ')} WHERE ${where.sql.join(' AND ')}`,
      values: [...set.values, ...where.values],
    };
  }

  /** Whole rows by a column that has no value twice; those that are looked for at the same time are read together. */
  lookupBy(name: keyof Row & string): Groups<string, Row | undefined> {
    const { databaseName } = this.column(name);
    return new Groups(async (values) => {
      const raws = await this.findAll(databaseName, padded(values));
      const byValue = new Map(raws.map((raw) => [raw[databaseName], raw]));
      return values.map((value) => {
        const raw = byValue.get(value);
        return raw && this.fromDatabase(raw); // to each one of his own, even where two look for the same
      });
    });
  }

  private async findAll(column: string, values: string[]): Promise<RawRow[]> {
    const places = values.map(() => '?').join(', ');
    const statement = `SELECT * FROM ${this.metadata.tableName} WHERE ${column} IN (${places})`;
    const runner = this.dataSource.createQueryRunner();
    try {
      return (await runStatement(runner, statement, values)).rows;
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

/** The driver prepares a statement for each number of values, so there are few numbers; a value may be asked for twice. */
function padded(values: string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<string>(length - values.length).fill(values[0] ?? '')];
}

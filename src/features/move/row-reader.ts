import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { Refusal } from '../../platform/errors/refusal.js';
import { exportedTables } from './exported-tables.js';
import type { Batch } from './read-export.js';
import { decoded } from './value-codec.js';

/** Rows of one table. */
export interface TableRows {
  table: EntityMetadata;
  rows: ObjectLiteral[];
}

/** Makes the rows of entities from those in a file. */
export class RowReader {
  private readonly tables: ReadonlyMap<string, EntityMetadata>;

  constructor(dataSource: DataSource) {
    this.tables = exportedTables(dataSource);
  }

  /** @throws Refusal when the table has other columns, or a value is none of its column */
  read({ table: name, columns: names, rows }: Batch): TableRows {
    const table = this.tables.get(name) ?? unfit(name);
    const columns = names.map(
      (column) => table.findColumnWithDatabaseName(column) ?? unfit(`${name}.${column}`),
    );
    if (new Set(columns).size !== table.columns.length || columns.length !== table.columns.length)
      unfit(name);
    return {
      table,
      rows: rows.map((values) =>
        Object.fromEntries(
          columns.map((column, index) => {
            const value = decoded(values[index], column);
            return [column.propertyName, value === undefined ? unfit(`${name}.${names[index]}`) : value];
          }),
        ),
      ),
    };
  }
}

function unfit(what: string): never {
  throw new Refusal(`The file has data that does not fit ${what}. Nothing of it can be imported.`);
}

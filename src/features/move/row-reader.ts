import type { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { Refusal } from '../../platform/errors/refusal.js';
import { MOVED_ENTITIES } from './moved-entities.js';
import type { Batch } from './read-export.js';
import { decoded } from './value-codec.js';

/** Rows of one entity. */
export interface EntityRows {
  entity: EntityTarget<ObjectLiteral> & (new () => ObjectLiteral);
  table: string;
  rows: ObjectLiteral[];
}

/** Makes the rows of entities from those in a file. */
export class RowReader {
  private readonly tables: ReadonlyMap<string, { entity: EntityRows['entity']; metadata: EntityMetadata }>;

  constructor(dataSource: DataSource) {
    this.tables = new Map(
      MOVED_ENTITIES.map((entity) => {
        const metadata = dataSource.getMetadata(entity);
        return [metadata.tableName, { entity, metadata }];
      }),
    );
  }

  /** @throws Refusal when the table has other columns, or a value is none of its column */
  read({ table, columns: names, rows }: Batch): EntityRows {
    const { entity, metadata } = this.tables.get(table) ?? unfit(table);
    const columns = names.map(
      (name) => metadata.findColumnWithDatabaseName(name) ?? unfit(`${table}.${name}`),
    );
    if (new Set(columns).size !== metadata.columns.length) unfit(table);
    return {
      entity,
      table,
      rows: rows.map((values) =>
        Object.fromEntries(
          columns.map((column, index) => {
            const value = decoded(values[index], column);
            return [column.propertyName, value === undefined ? unfit(`${table}.${names[index]}`) : value];
          }),
        ),
      ),
    };
  }
}

function unfit(what: string): never {
  throw new Refusal(`The file has data that does not fit ${what}. Nothing of it can be imported.`);
}

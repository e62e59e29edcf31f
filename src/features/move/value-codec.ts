import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** A value of an entity as it is in the file: dates in ISO 8601, bytes in base64. */
export function encoded(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? value.toString('base64') : value;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The value of the entity; undefined when it is none of this column. */
export function decoded(value: unknown, column: ColumnMetadata): unknown {
  if (value === null) return column.isNullable ? null : undefined;
  switch (column.type) {
    case 'varchar':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'datetime':
      return typeof value === 'string' && DATE.test(value) ? validDate(value) : undefined;
    case 'blob':
    case 'mediumblob':
      return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
    case 'simple-json':
      return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
    default:
      throw new Error(`Columns of type ${String(column.type)} cannot be moved yet.`);
  }
}

function validDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

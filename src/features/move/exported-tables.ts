import type { DataSource, EntityMetadata } from 'typeorm';
import { orderedByReference, tableNames, isExported } from '../../platform/database/tables.js';

/**
 * The tables that an export has, by their names: those of the entities of all modules, unless they say otherwise. If several
 * modules have an entity for a table, that with most columns counts.
 */
export function exportedTables({ entityMetadatas }: DataSource): Map<string, EntityMetadata> {
  const exported = entityMetadatas.filter(isExported).toReversed();
  const fewestFirst = exported.toSorted((a, b) => a.columns.length - b.columns.length);
  return new Map(fewestFirst.map((metadata) => [metadata.tableName, metadata]));
}

/** Those that are in the database, each after those that its rows refer to. */
export async function exportedTablesInOrder(dataSource: DataSource): Promise<EntityMetadata[]> {
  const tables = exportedTables(dataSource);
  const names = (await tableNames(dataSource)).filter((name) => tables.has(name));
  return (await orderedByReference(dataSource, names)).flatMap((name) => tables.get(name) ?? []);
}

/** A table that TypeORM joins others with, and that has no entity of its own. */
export function tableWithoutEntity({ entityMetadatas }: DataSource): string | undefined {
  const ofClasses = entityMetadatas.filter(({ target }) => typeof target === 'function');
  const names = new Set(ofClasses.map(({ tableName }) => tableName));
  return entityMetadatas.find(({ tableName }) => !names.has(tableName))?.tableName;
}

/** The names of the tables in the database of which no module that is loaded has an entity. */
export async function unknownTables(dataSource: DataSource): Promise<string[]> {
  const known = ['migrations', ...dataSource.entityMetadatas.map(({ tableName }) => tableName)];
  return (await tableNames(dataSource)).filter((name) => !known.includes(name)).sort();
}

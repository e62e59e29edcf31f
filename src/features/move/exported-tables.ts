import type { DataSource, EntityMetadata } from 'typeorm';
import { isExported } from '../../platform/database/not-exported.js';
import { tableNames, tablesByReference } from '../../platform/database/tables.js';

/**
 * The tables that an export has, by their names: those of the entities of all modules, unless they say otherwise. If a module
 * has another entity for a table of ours, the first counts, which has all columns.
 */
export function exportedTables({ entityMetadatas }: DataSource): Map<string, EntityMetadata> {
  const exported = entityMetadatas.filter(isExported);
  return new Map(exported.toReversed().map((metadata) => [metadata.tableName, metadata]));
}

/** Those that are in the database, each after those that its rows refer to. */
export async function exportedTablesInOrder(dataSource: DataSource): Promise<EntityMetadata[]> {
  const tables = exportedTables(dataSource);
  return (await tablesByReference(dataSource)).flatMap((name) => tables.get(name) ?? []);
}

/** The names of the tables in the database of which no module that is loaded has an entity. */
export async function unknownTables(dataSource: DataSource): Promise<string[]> {
  const known = ['migrations', ...dataSource.entityMetadatas.map(({ tableName }) => tableName)];
  return (await tableNames(dataSource)).filter((name) => !known.includes(name)).sort();
}

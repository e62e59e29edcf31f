import type { DataSource, EntityMetadata } from 'typeorm';
import { SetMetadata } from '@nestjs/common';
import { Refusal } from '../errors/refusal.js';
import { engineOf } from './engines/engines.js';

/** The names of all tables in the database. */
export async function tableNames(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(engineOf(dataSource).catalog.tables);
  return rows.map(({ name }) => name);
}

/** The columns of all tables in the database, except those that it computes. */
export function tableColumns(dataSource: DataSource): Promise<{ table: string; column: string }[]> {
  return dataSource.query(engineOf(dataSource).catalog.columns);
}

/**
 * These tables, each after those of them that its rows refer to, and otherwise by name.
 * @throws Refusal when some refer to each other
 */
export async function orderedByReference(dataSource: DataSource, names: string[]): Promise<string[]> {
  const among = (await referencesIn(dataSource)).filter(({ to }) => names.includes(to));
  const references = Map.groupBy(among, ({ from }) => from);
  const ordered = new Set<string>();
  const add = (name: string, path: string[]) => {
    if (path.includes(name))
      throw new Refusal(
        `The tables ${path.slice(path.indexOf(name)).sort().join(', ')} refer to each other, so none can be the first.`,
      );
    for (const { to } of references.get(name) ?? [])
      if (to !== name && !ordered.has(to)) add(to, [...path, name]);
    ordered.add(name);
  };
  for (const name of names.toSorted()) add(name, []);
  return [...ordered];
}

/** The foreign keys, also those that no entity describes. */
function referencesIn(dataSource: DataSource): Promise<{ from: string; to: string }[]> {
  return dataSource.query(engineOf(dataSource).catalog.references);
}

const NOT_EXPORTED = Symbol('not exported');

/** Leaves the rows of an entity out of exports: they mean nothing in another database. */
export const NotExported = () => SetMetadata(NOT_EXPORTED, true);

/** Not so are views, and tables that TypeORM makes without an entity. */
export function isExported({ target, tableType }: EntityMetadata): boolean {
  return (
    typeof target === 'function' &&
    tableType === 'regular' &&
    Reflect.getMetadata(NOT_EXPORTED, target) !== true
  );
}

import type { DataSource } from 'typeorm';
import { Refusal } from '../errors/refusal.js';

/** The names of all tables in the database. */
export async function tableNames(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    dataSource.options.type === 'better-sqlite3'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'VIEW'",
  );
  return rows.map(({ name }) => name);
}

/** The columns of all tables in the database, except those that it computes. */
export function tableColumns(dataSource: DataSource): Promise<{ table: string; column: string }[]> {
  return dataSource.query(
    dataSource.options.type === 'better-sqlite3'
      ? `SELECT tables.name AS 'table', columns.name AS 'column'
        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`
      : `SELECT table_name AS 'table', column_name AS 'column' FROM information_schema.columns
        WHERE table_schema = DATABASE() AND COALESCE(generation_expression, '') = ''`,
  );
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
  return dataSource.query(
    dataSource.options.type === 'better-sqlite3'
      ? `SELECT tables.name AS 'from', keys."table" AS 'to'
        FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys ORDER BY 1, 2`
      : `SELECT table_name AS 'from', referenced_table_name AS 'to' FROM information_schema.key_column_usage
        WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE() ORDER BY 1, 2`,
  );
}

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

/**
 * The names of all tables in the database, each after those that its rows refer to, and otherwise by name.
 * @throws Refusal when some refer to each other
 */
export async function tablesByReference(dataSource: DataSource): Promise<string[]> {
  const names = (await tableNames(dataSource)).sort();
  const references = Map.groupBy(await referencesIn(dataSource), ({ from }) => from);
  const ordered = new Set<string>();
  const add = (name: string, path: string[]) => {
    if (path.includes(name))
      throw new Refusal(
        `The tables ${path.sort().join(', ')} refer to each other, so none can be the first.`,
      );
    for (const { to } of references.get(name) ?? [])
      if (to !== name && !ordered.has(to)) add(to, [...path, name]);
    ordered.add(name);
  };
  for (const name of names) add(name, []);
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

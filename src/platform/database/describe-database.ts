import type { DataSource } from 'typeorm';
import type { EngineName } from './engine/engine.js';
import { engineOf } from './engines/engines.js';

/** The database that is in use. */
export interface DatabaseDescription {
  engine: EngineName;
  version: string;
  /** The name of the latest migration. */
  schema?: string;
  /** The size of its files; absent on a server. */
  bytes?: number;
}

export async function describeDatabase(dataSource: DataSource): Promise<DatabaseDescription> {
  const { engine, version, bytes } = await engineOf(dataSource).describe(dataSource);
  const schema = await latestMigration(dataSource);
  return { engine, version, schema, ...(bytes !== undefined && { bytes }) };
}

async function latestMigration(dataSource: DataSource): Promise<string | undefined> {
  const [row] = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp DESC, id DESC LIMIT 1',
  );
  return row?.name;
}

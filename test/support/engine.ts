/** The database engine that the specs run on; jest.config.js sets it. */
export interface Engine {
  name: 'sqlite' | 'mariadb' | 'mysql' | 'postgres';
  /** The URL of the server, without a database. */
  url?: string;
  /** The names of all databases of this run begin with it. */
  databasePrefix?: string;
  /** The major version of PostgreSQL. */
  major?: number;
}

export const engine = (globalThis as unknown as { engine: Engine }).engine;

/** The URLs of servers that data come from or go to; jest.config.js sets them. */
export const otherServers = (globalThis as unknown as { sources: { mysql?: string; postgresql?: string } })
  .sources;

/** The database engine that the specs run on; jest.config.js sets it. */
export interface Engine {
  name: 'sqlite' | 'mariadb' | 'mysql';
  /** The URL of the server, without a database. */
  url?: string;
  /** The names of all databases of this run begin with it. */
  databasePrefix?: string;
}

export const engine = (globalThis as unknown as { engine: Engine }).engine;

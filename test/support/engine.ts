/** The database engine that this run of the specs is on; jest.config.js sets it. */
export interface Engine {
  name: 'sqlite' | 'mariadb' | 'mysql';
  /** A server's address without a database. */
  url?: string;
}

export const engine = (globalThis as unknown as { engine: Engine }).engine;

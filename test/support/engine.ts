/** The database engine that the specs run on; jest.config.js sets it. */
export interface Engine {
  name: 'sqlite' | 'mariadb' | 'mysql';
  /** The URL of the server, without a database. */
  url?: string;
}

export const engine = (globalThis as unknown as { engine: Engine }).engine;

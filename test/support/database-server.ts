import { engine } from './engine.js';
import { MysqlServer } from './mysql-server.js';
import { PostgresServer } from './postgres-server.js';

/** A database server for one test, which can fail. */
export type DatabaseServer = MysqlServer | PostgresServer;

/** Makes one of the same engine as that which the specs run on. */
export function makeDatabaseServer(): Promise<DatabaseServer> {
  return engine.name === 'postgres' ? PostgresServer.make() : MysqlServer.make();
}

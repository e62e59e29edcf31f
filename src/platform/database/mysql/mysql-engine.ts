import { DataSource } from 'typeorm';
import type { MysqlDataSourceOptions } from 'typeorm/driver/mysql/MysqlDataSourceOptions.js';
import { Refusal } from '../../errors/refusal.js';
import type { MysqlAddress } from '../../settings/server-addresses.js';
import type { Engine } from '../engine/engine.js';
import { ROWS_AT_ONCE } from '../engine/server-connections.js';
import { executeOnMysql } from './execute-on-mysql.js';
import { MYSQL_ERRORS } from './mysql-errors.js';
import { MysqlUnitOfWork } from './mysql-unit-of-work.js';
import { setQueryTimeouts } from './query-timeouts.js';
import { assertUsable, limitWarnings } from './server-limits.js';

/** A server of MySQL or MariaDB. */
export const mysqlEngine: Engine = {
  errors: MYSQL_ERRORS,

  async options({ DATABASE_URL, DATABASE_POOL_SIZE }) {
    const { mysqlOptions } = await import('./mysql-options.js'); // the driver is only loaded when it is needed
    return mysqlOptions(DATABASE_URL as MysqlAddress, DATABASE_POOL_SIZE);
  },

  async warnings(settings) {
    const { readVariables } = await import('./mysql-options.js');
    const variables = await readVariables(settings.DATABASE_URL as MysqlAddress);
    assertUsable(variables);
    return limitWarnings(variables, settings);
  },

  location({ DATABASE_URL }) {
    const { host, port, database } = DATABASE_URL as MysqlAddress;
    return { address: `${host}:${port}/${database}` };
  },
  locationInWords: 'the database of DATABASE_URL',

  acceptTypes: (dataSource) => dataSource,
  open: (options) => new DataSource(options).initialize(),
  writerFor: (dataSource) => Promise.resolve(dataSource),
  unitOfWork: (dataSource) => new MysqlUnitOfWork(dataSource),
  limitWaits: setQueryTimeouts,
  execute: executeOnMysql,

  async runMigrations(dataSource) {
    await dataSource.runMigrations({ transaction: 'each' });
  },

  async createLeases(unitOfWork) {
    await unitOfWork.run((manager) =>
      manager.query(
        'CREATE TABLE IF NOT EXISTS leases (name varchar(64) NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, ends_at bigint NOT NULL)',
      ),
    );
  },

  async dropTables({ driver }, unitOfWork, names) {
    await unitOfWork.run(async (manager) => {
      await manager.query('SET foreign_key_checks = 0');
      for (const name of names) await manager.query(`DROP TABLE IF EXISTS ${driver.escape(name)}`);
    });
  },

  afterImport: () => Promise.resolve(), // it does that itself

  beginSnapshot: [
    'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
  ],
  clock: 'UNIX_TIMESTAMP() * 1000',
  lockForShare: ' LOCK IN SHARE MODE',
  withoutIndex: (column) => column,
  isOrderedByNull: false,
  typedPlaceholder: () => '?',
  conversionOf: () => undefined,
  tableColumn: (options) => options,

  catalog: {
    tables:
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'VIEW'",
    columns: `SELECT table_name AS 'table', column_name AS 'column' FROM information_schema.columns
      WHERE table_schema = DATABASE() AND COALESCE(generation_expression, '') = ''`,
    references: `SELECT table_name AS 'from', referenced_table_name AS 'to' FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE() ORDER BY 1, 2`,
  },

  async describe(dataSource) {
    const [row] = await dataSource.query<{ version: string }[]>('SELECT VERSION() AS version');
    const engine = dataSource.options.type === 'mariadb' ? 'MariaDB' : 'MySQL';
    return { engine, version: row?.version ?? '' };
  },

  /** The internal state of mysql2's pool, which has no public API. */
  connections({ driver }) {
    const { pool = {} } = driver as unknown as { pool?: PoolState };
    const { _allConnections: all, _freeConnections: free, _connectionQueue: queue } = pool;
    const open = all?.length ?? 0;
    const idle = free?.length ?? 0;
    return { busy: open - idle, idle, awaited: queue?.length ?? 0 };
  },

  rowsAtOnce: () => ROWS_AT_ONCE,

  backUp({ options }, path) {
    const { type, host, port, username, database } = options as MysqlDataSourceOptions;
    const [program, more] =
      type === 'mariadb' ? ['mariadb-dump', ''] : ['mysqldump', ' --set-gtid-purged=OFF'];
    return Promise.reject(
      new Refusal(
        'Back up a database server with its own program: ' +
          `${program} --single-transaction --no-tablespaces --hex-blob${more} -h ${host} -P ${port} -u ${username} -p ${database} > ${path} ` +
          '- see docs/operating/backup.md for the rest.',
      ),
    );
  },

  fileOf: () => undefined,
};

interface PoolState {
  _allConnections?: { length: number };
  _freeConnections?: { length: number };
  _connectionQueue?: { length: number };
}

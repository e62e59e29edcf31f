import type { ConnectionOptions } from 'node:tls';
import type { Pool, PoolOptions, RowDataPacket, SslOptions } from 'mysql2';
import mysql from 'mysql2';
import { createConnection } from 'mysql2/promise';
import type { MysqlDataSourceOptions } from 'typeorm/driver/mysql/MysqlDataSourceOptions.js';
import type { MysqlAddress } from '../../settings/server-addresses.js';
import { NoDatabaseConnection } from '../../settings/start-error.js';
import { CONNECT_TIMEOUT_MS } from '../engine/server-connections.js';
import { CLUSTER_VARIABLES, clusterSession } from './cluster.js';
import { checkIdleConnections, idleOptions, leaveRefusingServer } from './pool-connections.js';
import { assertUsable, LIMIT_VARIABLES, writeLimitOf, limitWrites } from './server-limits.js';

/**
 * Each statement sees all committed data and is committed unless it is in a transaction, a value that does not fit is an
 * error instead of being truncated, and tables are of the engine that has transactions, whatever the defaults of the server.
 */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'TRADITIONAL', innodb_lock_wait_timeout = 5, autocommit = 1, default_storage_engine = 'InnoDB'",
];

interface MysqlUse {
  /** How the connection is encrypted; false is not at all. */
  tls?: ConnectionOptions | false;
  /** Whether nothing is written, so that it does not matter what the server refuses to write. */
  isOnlyRead?: boolean;
}

/** TypeORM's options for a MySQL or MariaDB server; a query to the server finds out which one it is. */
export async function mysqlOptions(
  address: MysqlAddress,
  poolSize: number,
  { tls = encryptionOf(address), isOnlyRead = false }: MysqlUse = {},
): Promise<MysqlDataSourceOptions> {
  const ssl = tlsOptions(tls);
  const variables = await readVariables(address, ssl);
  if (!isOnlyRead) assertUsable(variables);
  const { bytes } = writeLimitOf(variables);
  return {
    type: variables.version?.includes('MariaDB') ? 'mariadb' : 'mysql',
    host: address.host,
    port: address.port,
    username: address.username,
    password: address.password,
    database: address.database,
    ssl,
    charset: 'utf8mb4',
    timezone: 'Z',
    bigNumberStrings: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    poolSize,
    driver: { ...mysql, createPool: poolMaker([...SESSION, ...clusterSession(variables)], bytes) },
  };
}

function encryptionOf({ tls }: MysqlAddress): ConnectionOptions | false {
  return tls && {};
}

/** Checks the host name in the certificate too, unless it is told otherwise. By default mysql2 only checks who issued it. */
function tlsOptions(tls: ConnectionOptions | false): SslOptions | undefined {
  if (!tls) return undefined;
  const { checkServerIdentity, ...options } = tls;
  return { ...(options as SslOptions), verifyIdentity: checkServerIdentity === undefined };
}

function poolMaker(session: string[], maxWriteBytes: number): (options: PoolOptions) => Pool {
  return (options) => {
    const pool = mysql.createPool({ ...options, ...idleOptions(options.connectionLimit ?? 1) });
    pool.on('connection', (connection) => {
      limitWrites(connection, maxWriteBytes);
      for (const statement of session) {
        connection.query(statement, (error) => {
          if (error) connection.destroy();
        });
      }
    });
    leaveRefusingServer(pool);
    checkIdleConnections(pool);
    return pool;
  };
}

interface Variable extends RowDataPacket {
  Variable_name: string;
  Value: string;
}

/** The variables of the server that decide how it is used, and what does not work on it. */
export async function readVariables(
  address: MysqlAddress,
  ssl = tlsOptions(encryptionOf(address)),
): Promise<Record<string, string>> {
  try {
    const connection = await createConnection({
      host: address.host,
      port: address.port,
      user: address.username,
      password: address.password,
      database: address.database,
      ssl,
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    const [rows] = await connection.query<Variable[]>('SHOW VARIABLES WHERE Variable_name IN (?)', [
      ['version', ...CLUSTER_VARIABLES, ...LIMIT_VARIABLES],
    ]);
    await connection.end();
    return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    const where = `${address.host}:${address.port}/${address.database}`;
    throw new NoDatabaseConnection(`The database at ${where} cannot be used (${code}).`);
  }
}

import type { PoolConnection } from 'mysql2';
import type { Settings } from '../../settings/settings.js';
import { StartError } from '../../settings/start-error.js';
import { MIB } from '../../settings/units.js';
import { connectionsWarning } from '../engine/server-connections.js';
import { WriteTooLarge } from '../errors/database-error.js';

type Variables = Record<string, string>;

/**
 * What the largest write of the service needs: a text of 1,048,576 characters has up to 4 MiB in UTF-8, and all else that
 * is written with it less than 1 MiB.
 */
export const LARGEST_WRITE = 5 * MIB;
/** Below that, rows without any long text do not fit either. */
const SMALLEST_LIMIT = MIB / 4;

/** Statements that each connection prepares, at most: those of all paths, for a few numbers of rows each. */
const STATEMENTS_PER_CONNECTION = 100;

/** Variables that limit the bytes of a statement or of a transaction, and whether they are in force. */
const WRITE_LIMITS: Record<string, (variables: Variables) => boolean> = {
  max_allowed_packet: () => true,
  max_binlog_cache_size: ({ log_bin: log }) => log === 'ON',
  wsrep_max_ws_size: ({ wsrep_on: galera }) => galera === 'ON',
  group_replication_transaction_size_limit: ({ group_replication_group_name: group }) => Boolean(group),
};

/** Variables that let a server refuse all writes. */
const READ_ONLY = [
  'read_only',
  'super_read_only',
  'innodb_read_only',
  'transaction_read_only',
  'tx_read_only',
];

/** The variables of a server that are read here. */
export const LIMIT_VARIABLES = [
  ...Object.keys(WRITE_LIMITS),
  ...READ_ONLY,
  'binlog_format',
  'log_bin',
  'max_connections',
  'max_user_connections',
  'max_prepared_stmt_count',
];

/** The bytes that a server accepts in one write, and the variable that says so. */
interface WriteLimit {
  variable: string;
  bytes: number;
}

/** The lowest of the limits that are in force; 0 is none. */
export function writeLimitOf(variables: Variables): WriteLimit {
  const limits = Object.entries(WRITE_LIMITS)
    .filter(([variable, isInForce]) => Number(variables[variable] ?? 0) > 0 && isInForce(variables))
    .map(([variable]) => ({ variable, bytes: Number(variables[variable]) }));
  return limits.reduce((lowest, limit) => (limit.bytes < lowest.bytes ? limit : lowest), {
    variable: 'max_allowed_packet',
    bytes: Infinity,
  });
}

/** @throws StartError when the service cannot work on a server with these variables */
export function assertUsable(variables: Variables): void {
  // InnoDB refuses each write then (1665): what other transactions commit meanwhile would be repeated in another order
  if (variables.log_bin === 'ON' && variables.binlog_format === 'STATEMENT')
    throw new StartError(
      'The database server has binlog_format = STATEMENT, with which it refuses all writes of this service, because they are READ COMMITTED. Set binlog_format = ROW (or MIXED) on the server.',
    );
  if (variables.max_prepared_stmt_count === '0')
    throw new StartError(
      'The database server has max_prepared_stmt_count = 0, with which it refuses all statements of this service. Set it to its default, 16382, on the server.',
    );
  const { variable, bytes } = writeLimitOf(variables);
  if (bytes < SMALLEST_LIMIT)
    throw new StartError(
      `The database server has ${variable} = ${bytes}, which is too little for any push. Set it to at least ${LARGEST_WRITE} on the server.`,
    );
}

/** What will not work on a server with these variables, a sentence each. */
export function limitWarnings(
  variables: Variables,
  settings: Pick<Settings, 'DATABASE_POOL_SIZE' | 'WORKERS'>,
): string[] {
  const { max_connections: most, max_user_connections: mostOfUser } = variables;
  const limits = { max_connections: Number(most), max_user_connections: Number(mostOfUser) };
  return [
    writeWarning(variables),
    connectionsWarning(limits, settings),
    statementsWarning(variables, settings.DATABASE_POOL_SIZE * settings.WORKERS),
    readOnlyWarning(variables),
  ].filter((sentence) => sentence !== undefined);
}

function writeWarning(variables: Variables): string | undefined {
  const { variable, bytes } = writeLimitOf(variables);
  if (bytes >= LARGEST_WRITE) return undefined;
  return `The database server has ${variable} = ${bytes}: longer texts are refused. Set it to at least ${LARGEST_WRITE} on the server`;
}

function statementsWarning({ max_prepared_stmt_count: most }: Variables, connections: number) {
  const needed = connections * STATEMENTS_PER_CONNECTION;
  if (most === undefined || Number(most) >= needed) return undefined;
  return `The database server has max_prepared_stmt_count = ${most}: requests fail when it is reached. Set it to at least ${needed} on the server`;
}

function readOnlyWarning(variables: Variables): string | undefined {
  const found = READ_ONLY.find((name) => variables[name] === 'ON');
  return (
    found &&
    `The database server has ${found} = ON: until it is OFF, it refuses writes, and nothing can be created`
  );
}

/** Bytes of a packet besides the values, and of each value besides its content. */
const OVERHEAD = 64;
const OVERHEAD_OF_VALUE = 16;

/**
 * Fails statements that are too large for the server with `WriteTooLarge`, without sending them.
 * @param limit bytes that the server accepted at the start
 */
export function limitWrites(connection: PoolConnection, limit: number): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  const execute = connection.execute.bind(connection) as (...args: unknown[]) => unknown;
  const unlessTooLarge =
    (send: typeof query, sizeOf: (sql: string, values: unknown) => number) =>
    (...args: unknown[]) => {
      const [sql, values] = args;
      const done = args.at(-1);
      if (typeof sql !== 'string' || typeof done !== 'function' || sizeOf(sql, values) < limit)
        return send(...args);
      process.nextTick(done, new WriteTooLarge(limit));
    };
  connection.execute = unlessTooLarge(execute, (_sql, values) => OVERHEAD + bytesOf(values)) as never;
  connection.query = unlessTooLarge(query, (sql, values) => {
    const most = OVERHEAD + 4 * sql.length + 4 * bytesOf(values); // texts are escaped, and bytes become hexadecimal digits
    return most < limit ? most : OVERHEAD + Buffer.byteLength(connection.format(sql, values));
  }) as never;
}

function bytesOf(values: unknown): number {
  if (!Array.isArray(values)) return 0;
  return values.reduce<number>((sum, value) => sum + OVERHEAD_OF_VALUE + lengthOf(value), 0);
}

function lengthOf(value: unknown): number {
  if (Buffer.isBuffer(value)) return value.length;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Array.isArray(value) ? bytesOf(value) : OVERHEAD_OF_VALUE; // a date or a number
}

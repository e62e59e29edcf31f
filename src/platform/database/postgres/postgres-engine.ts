import type { ColumnType, TableColumnOptions } from 'typeorm';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { Refusal } from '../../errors/refusal.js';
import type { PostgresAddress } from '../../settings/database-address.js';
import { shownServers } from '../../settings/database-address.js';
import type { Engine } from '../engine/engine.js';
import { ROWS_AT_ONCE } from '../engine/server-connections.js';
import { executeOnPostgres } from './execute-on-postgres.js';
import { POSTGRES_ERRORS } from './postgres-errors.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { assertUsable, serverWarnings } from './server-checks.js';
import type { ServerPool } from './server-pool.js';
import { MOMENT } from './values.js';

/** Any number that other programs are unlikely to use in the same database. */
const LOCK_OF_LEASES = 7_325_187_011;

/**
 * Texts are compared byte by byte, as on SQLite, and indexes do not depend on the collations of the operating system, whose
 * upgrades would damage them.
 */
const COLLATION = 'C';
const TEXT_TYPES = ['varchar', 'text', 'character varying', 'simple-array', 'simple-json'];

/** What our column types are called here. */
const TYPES: Record<string, ColumnType> = {
  datetime: 'timestamp with time zone',
  timestamp: 'timestamp with time zone',
  blob: 'bytea',
  mediumblob: 'bytea',
};

/** A server of PostgreSQL. */
export const postgresEngine: Engine = {
  errors: POSTGRES_ERRORS,

  async options({ DATABASE_URL, DATABASE_POOL_SIZE }) {
    const { postgresOptions } = await import('./postgres-options.js'); // the driver is only loaded when it is needed
    return postgresOptions(DATABASE_URL as PostgresAddress, DATABASE_POOL_SIZE);
  },

  async warnings(settings) {
    const { readServer } = await import('./postgres-options.js');
    const { facts, isPooled } = await readServer(settings.DATABASE_URL as PostgresAddress);
    assertUsable(facts, isPooled);
    return serverWarnings(facts, settings, isPooled);
  },

  location({ DATABASE_URL }) {
    const { servers, database } = DATABASE_URL as PostgresAddress;
    return { address: `${shownServers(servers)}/${database}` };
  },
  locationInWords: 'the database of DATABASE_URL',

  acceptTypes(dataSource) {
    const { driver } = dataSource;
    for (const kind of ['createDate', 'updateDate', 'deleteDate'] as const)
      driver.mappedDataTypes[kind] = 'datetime';
    const normalize = driver.normalizeType.bind(driver);
    driver.normalizeType = (column) => {
      const type = column.type === Date ? TYPES.datetime : TYPES[String(column.type)];
      return normalize(type === undefined ? column : { ...column, type });
    };
    return dataSource;
  },

  async open(options) {
    const dataSource = await postgresEngine.acceptTypes(new DataSource(options)).initialize();
    for (const { columns } of dataSource.entityMetadatas)
      for (const column of columns) if (isText(column)) column.collation = COLLATION;
    return dataSource;
  },

  writerFor: (dataSource) => Promise.resolve(dataSource),
  unitOfWork: (dataSource) => new PostgresUnitOfWork(dataSource),
  limitWaits: (dataSource) => {
    poolOf(dataSource).limitWaits();
  },
  execute: executeOnPostgres,

  async runMigrations(dataSource) {
    await dataSource.runMigrations({ transaction: 'all' });
  },

  /** The lock is needed because two processes that create a table at once fail in spite of IF NOT EXISTS. */
  async createLeases(unitOfWork) {
    await unitOfWork.run(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(${LOCK_OF_LEASES})`);
      await manager.query(
        `CREATE TABLE IF NOT EXISTS leases (name varchar(64) COLLATE "${COLLATION}" NOT NULL PRIMARY KEY,
          holder varchar(36) COLLATE "${COLLATION}" NOT NULL, ends_at bigint NOT NULL)`,
      );
    });
  },

  async dropTables({ driver }, unitOfWork, names) {
    await unitOfWork.run(async (manager) => {
      for (const name of names) await manager.query(`DROP TABLE IF EXISTS ${driver.escape(name)} CASCADE`);
    });
  },

  /** Without statistics, which the server collects within a minute, lists of an owner are sorted as a whole. */
  async afterImport({ entityMetadatas, driver }, unitOfWork) {
    await unitOfWork.outsideTransaction((manager) => manager.query('ANALYZE'));
    for (const { tableName, generatedColumns } of entityMetadatas)
      for (const { databaseName } of generatedColumns.filter(
        (each) => each.generationStrategy === 'increment',
      )) {
        const column = driver.escape(databaseName);
        const table = driver.escape(tableName);
        await unitOfWork.run((manager) =>
          manager.query(
            `SELECT setval(pg_get_serial_sequence($1, $2), MAX(${column})) FROM ${table} HAVING MAX(${column}) > 0`,
            [table, databaseName],
          ),
        );
      }
  },

  beginSnapshot: [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    'SET LOCAL idle_in_transaction_session_timeout = 0',
  ],
  clock: '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint',
  lockForShare: ' FOR KEY SHARE',
  withoutIndex: (column) => column,
  isOrderedByNull: true,
  typedPlaceholder: (column) => `CAST(? AS ${column.entityMetadata.dataSource.driver.normalizeType(column)})`,
  conversionOf: ({ type }) => (type === 'datetime' ? MOMENT : undefined),
  tableColumn({ charset: _charset, ...options }) {
    if (isText(options)) return { ...options, collation: COLLATION };
    if (options.type !== 'boolean' || options.default === undefined) return options;
    return { ...options, default: String(Boolean(Number(options.default))) };
  },

  catalog: {
    tables:
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    columns: `SELECT columns.table_name AS "table", column_name AS "column" FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'`,
    references: `SELECT DISTINCT source.relname AS "from", target.relname AS "to" FROM pg_constraint
      JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS target ON target.oid = confrelid
      WHERE contype = 'f' AND source.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  },

  async describe(dataSource) {
    const sql = "SELECT split_part(current_setting('server_version'), ' ', 1) AS version"; // without that of the package
    const [row] = await dataSource.query<{ version: string }[]>(sql);
    return { engine: 'PostgreSQL', version: row?.version ?? '' };
  },

  connections(dataSource) {
    const { totalCount, idleCount, waitingCount } = poolOf(dataSource);
    return { busy: totalCount - idleCount, idle: idleCount, awaited: waitingCount };
  },

  rowsAtOnce: () => ROWS_AT_ONCE,

  backUp({ options }, path) {
    const { host, port, username, database } = options as PostgresDataSourceOptions;
    return Promise.reject(
      new Refusal(
        'Back up a database server with its own program: ' +
          `pg_dump --format=custom --no-owner --no-privileges -h ${host} -p ${port} -U ${username} -d ${String(database)} -f ${path} ` +
          '- see docs/operating/backup.md for the rest.',
      ),
    );
  },

  fileOf: () => undefined,
};

function isText({ type }: Pick<TableColumnOptions, 'type'> | { type: ColumnType }): boolean {
  return type === String || TEXT_TYPES.includes(type as string);
}

function poolOf({ driver }: DataSource): ServerPool {
  return (driver as unknown as { master: ServerPool }).master;
}

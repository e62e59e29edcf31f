import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import type { BetterSqlite3DataSourceOptions } from 'typeorm/driver/better-sqlite3/BetterSqlite3DataSourceOptions.js';
import { StartError } from '../../settings/start-error.js';
import { assertWritable, makeDataFolder } from '../engine/data-folder.js';
import type { Engine, ValueConversion } from '../engine/engine.js';
import { hasLongColumns } from '../engine/engine.js';
import { databaseErrorCode } from '../errors/database-error.js';
import { backUpFile } from './back-up-file.js';
import { executeOnSqlite } from './execute-on-sqlite.js';
import { prepareSqlite, SQLITE_BUSY_TIMEOUT_MS } from './sqlite-connection.js';
import { SQLITE_ERRORS } from './sqlite-errors.js';
import { dateTimeText } from '../engine/date-time-text.js';
import { readableMoment } from '../engine/readable-moment.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';

/** SQLite reads rows in one turn of the event loop: up to 4 ms for one row, if what it stores can be large. */
const ROWS_AT_ONCE = { small: 500, large: 10 };

/** A `datetime`, which TypeORM stores as a text. */
const STORED_MOMENT: ValueConversion = {
  toDatabase: (value) => value && dateTimeText(value as Date),
  fromDatabase: (value) => value && readableMoment(new Date(`${value as string}Z`.replace(' ', 'T'))),
};

/** A file in DATA_DIR, for one machine. */
export const sqliteEngine: Engine = {
  errors: SQLITE_ERRORS,

  options: ({ DATA_DIR }) =>
    Promise.resolve({
      type: 'better-sqlite3',
      database: join(DATA_DIR, 'sealpush.sqlite3'),
      timeout: SQLITE_BUSY_TIMEOUT_MS,
      prepareDatabase: prepareSqlite,
    }),
  warnings: () => Promise.resolve([]), // its limits are far above what is written
  location: ({ DATA_DIR }) => ({ path: join(DATA_DIR, 'sealpush.sqlite3') }),
  locationInWords: 'the database sealpush.sqlite3 in DATA_DIR (DATABASE_URL is not set)',

  /** It accepts any type name; one that contains BLOB stores bytes. */
  acceptTypes(dataSource) {
    dataSource.driver.supportedDataTypes.push('mediumblob');
    return dataSource;
  },

  async open(options) {
    const { database } = options as BetterSqlite3DataSourceOptions;
    await prepareFile(database);
    try {
      return await sqliteEngine.acceptTypes(new DataSource(options)).initialize();
    } catch (error) {
      const code = databaseErrorCode(error);
      if (!code.startsWith('SQLITE_') || /^SQLITE_(BUSY|FULL|IOERR|PROTOCOL)/.test(code)) throw error;
      throw new StartError(`The database in DATA_DIR, ${database}, cannot be opened (${code}).`);
    }
  },

  writerFor: ({ options }) => sqliteEngine.open(options),
  unitOfWork: (dataSource) => new SqliteUnitOfWork(dataSource),
  limitWaits: () => undefined,
  // oxlint-disable-next-line typescript/require-await -- so that errors reject the promise, as with a server
  execute: async ({ dataSource }, sql, values) => executeOnSqlite(dataSource, sql, values),

  /** TypeORM's own transaction begins with a read, and fails if another process that waits here writes then. */
  async runMigrations(dataSource, unitOfWork) {
    await withoutForeignKeys(dataSource, () =>
      unitOfWork.run(() => dataSource.runMigrations({ transaction: 'none' })),
    );
  },

  async createLeases(unitOfWork) {
    await unitOfWork.run((manager) =>
      manager.query(
        'CREATE TABLE IF NOT EXISTS leases (name varchar(64) NOT NULL PRIMARY KEY, holder varchar(36) NOT NULL, ends_at bigint NOT NULL)',
      ),
    );
  },

  async dropTables(dataSource, unitOfWork, names) {
    const { driver } = dataSource;
    await withoutForeignKeys(dataSource, () =>
      unitOfWork.run(async (manager) => {
        for (const name of names) await manager.query(`DROP TABLE IF EXISTS ${driver.escape(name)}`);
      }),
    );
  },

  afterImport: () => Promise.resolve(), // it does that itself

  beginSnapshot: ['BEGIN'], // the snapshot is that of the first read
  clock: 'unixepoch() * 1000',
  lockForShare: '', // a transaction locks the whole database
  withoutIndex: (column) => `+${column}`,
  isOrderedByNull: false,
  typedPlaceholder: () => '?',
  conversionOf: ({ type }) => (type === 'datetime' ? STORED_MOMENT : undefined),
  /** It compares byte by byte, and has no character sets. */
  tableColumn: ({ charset: _charset, collation: _collation, ...options }) => options,

  catalog: {
    tables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    columns: `SELECT tables.name AS 'table', columns.name AS 'column'
      FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
    references: `SELECT tables.name AS 'from', keys."table" AS 'to'
      FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys ORDER BY 1, 2`,
  },

  async describe(dataSource) {
    const [row] = await dataSource.query<{ version: string }[]>('SELECT sqlite_version() AS version');
    const { database } = dataSource.options as BetterSqlite3DataSourceOptions;
    return { engine: 'SQLite', version: row?.version ?? '', bytes: await bytesOf(database) };
  },

  connections: () => ({}),
  rowsAtOnce: (table) => ROWS_AT_ONCE[hasLongColumns(table) ? 'large' : 'small'],
  backUp: backUpFile,
  fileOf: (options) => (options as BetterSqlite3DataSourceOptions).database,
};

/** SQLite reports each of these errors as SQLITE_CANTOPEN or SQLITE_READONLY. */
async function prepareFile(path: string): Promise<void> {
  await makeDataFolder(dirname(path));
  await assertWritable(path);
}

/** The pragma has no effect inside a transaction. */
async function withoutForeignKeys(dataSource: DataSource, work: () => Promise<unknown>): Promise<void> {
  await dataSource.query('PRAGMA foreign_keys = OFF');
  await work();
  await dataSource.query('PRAGMA foreign_keys = ON');
}

/** With the write-ahead log. */
async function bytesOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

import type { DataSource, DataSourceOptions, EntityMetadata, QueryRunner, TableColumnOptions } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Settings } from '../../settings/settings.js';
import type { ErrorCodes } from '../errors/database-error.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';

export type RawRow = Record<string, unknown>;

/** The result of a statement: the rows it read, or how many it changed. */
export interface StatementResult {
  rows: RawRow[];
  affected: number;
}

/** Queries about the schema of the database. */
export interface Catalog {
  /** `name`: the tables. */
  tables: string;
  /** `table`, `column`: the columns, except those that are computed. */
  columns: string;
  /** `from`, `to`: the tables of the foreign keys, also of those that no entity describes. */
  references: string;
}

/** How the values of a column are converted where TypeORM's way is slower, or differs. */
export interface ValueConversion {
  toDatabase: (value: unknown) => unknown;
  fromDatabase: (value: unknown) => unknown;
}

/**
 * All that is particular to a kind of database. Each is in a folder of its own; nothing outside of these folders asks
 * which one is used.
 */
export interface Engine {
  readonly errors: ErrorCodes;

  /** TypeORM's options for the database of the settings. Modules add their entities and migrations. */
  options(settings: Settings): Promise<DataSourceOptions>;

  /**
   * What will not work with the database server of the settings, a sentence each.
   * @throws StartError when it cannot be used at all
   */
  warnings(settings: Settings): Promise<string[]>;

  /** Where the database is, without a login. */
  location(settings: Settings): { path: string } | { address: string };

  /** The same in a sentence. */
  locationInWords: string;

  /** Makes TypeORM accept the column types of our entities. */
  acceptTypes(dataSource: DataSource): DataSource;

  /** Opens a database without migrating it. */
  open(options: DataSourceOptions): Promise<DataSource>;

  /** The connection that the unit of work writes on, so that reads on the other one see only committed data. */
  writerFor(dataSource: DataSource): Promise<DataSource>;

  /** A UnitOfWork on this connection; on SQLite nothing else may use the connection at the same time. */
  unitOfWork(dataSource: DataSource): UnitOfWork;

  /** From now on, statements and requests for a connection wait a limited time. Migrations may take longer. */
  limitWaits(dataSource: DataSource): void;

  /**
   * Runs a statement that the driver prepares once for each connection.
   * @throws QueryFailedError
   */
  execute(runner: QueryRunner, sql: string, values: unknown[]): Promise<StatementResult>;

  /** Runs the migrations that have not run; nobody else runs them at the same time. */
  runMigrations(dataSource: DataSource, unitOfWork: UnitOfWork): Promise<void>;

  /** Makes the table of leases unless it exists, also when several processes do so at the same time. */
  createLeases(unitOfWork: UnitOfWork): Promise<void>;

  /** Removes tables, whatever refers to them. */
  dropTables(dataSource: DataSource, unitOfWork: UnitOfWork, names: string[]): Promise<void>;

  /** After all rows were inserted with their numbers: new rows get numbers that follow, and queries are planned for these. */
  afterImport(dataSource: DataSource, unitOfWork: UnitOfWork): Promise<void>;

  /** Statements that begin a transaction which only reads, and sees the database as it is at one moment. */
  readonly beginSnapshot: string[];

  /** Milliseconds since 1970 by the database's clock, in SQL. */
  readonly clock: string;

  /** The end of a query whose rows nobody may delete before the transaction ends. */
  readonly lockForShare: string;

  /** A column in a condition for which no index may be used. */
  readonly withoutIndex: (column: string) => string;

  /**
   * Whether rows that an index finds by a null in its first column are in its order only for a query that is ordered by that
   * column too. Others sort them then.
   */
  readonly isOrderedByNull: boolean;

  /** The placeholder of a value that is no operand of a column, by which the database could tell its type. */
  typedPlaceholder(column: ColumnMetadata): string;

  /** Undefined where TypeORM's conversion is used. */
  conversionOf(column: ColumnMetadata): ValueConversion | undefined;

  /** A column of a migration, without what this database does not know. */
  tableColumn(options: TableColumnOptions): TableColumnOptions;

  readonly catalog: Catalog;

  /** What it is, and which version. */
  describe(dataSource: DataSource): Promise<{ engine: EngineName; version: string; bytes?: number }>;

  /** How many connections there are in each state; none without a pool. */
  connections(dataSource: DataSource): Record<string, number>;

  /** How many rows of a table are read at a time by a job that reads all. */
  rowsAtOnce(table: EntityMetadata): number;

  /**
   * Copies a consistent snapshot, even while it is written to. Never overwrites a file.
   * @param start runs once the file is there and before the rows are read
   * @throws Refusal with the command that does it, where a server has its own
   */
  backUp(dataSource: DataSource, path: string, start: () => Promise<void>): Promise<void>;

  /** The file of the database; undefined on a server. */
  fileOf(options: DataSourceOptions): string | undefined;
}

export type EngineName = 'SQLite' | 'MySQL' | 'MariaDB' | 'PostgreSQL';

/** Whether rows of a table can be long. */
export function hasLongColumns({ columns }: EntityMetadata): boolean {
  return columns.some(({ type }) => type === 'mediumblob');
}

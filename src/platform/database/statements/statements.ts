import type { Database, Statement as SqliteStatement } from 'better-sqlite3';
import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type {
  DataSource,
  EntityManager,
  ObjectLiteral,
  QueryRunner,
  EntityMetadata,
  EntityTarget,
  QueryBuilder,
} from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { afterCommit } from '../transactions/after-commit.js';
import type { Statement } from '../transactions/unit-of-work.js';
import { Transaction, InsertInto } from '../transactions/unit-of-work.js';
import { Batcher } from './batcher.js';

type RawRow = Record<string, unknown>;

/** The result of a statement: the rows it read, or how many it changed. */
export interface StatementResult {
  rows: RawRow[];
  affected: number;
}

/**
 * Runs a statement that the driver prepares once for each connection. Bypasses TypeORM's `query()`, whose events and
 * result objects cost more time than a frequent statement itself.
 * @throws QueryFailedError
 */
export async function runStatement(
  runner: QueryRunner,
  sql: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  if (runner.dataSource.options.type === 'better-sqlite3')
    return executeOnSqlite(runner.dataSource, sql, values);

  const connection = (await runner.connect()) as PoolConnection;
  runner.dataSource.logger.logQuery(sql, values, runner);
  try {
    return await executeOnServer(connection, sql, values);
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

/** The rows that a query finds outside of transactions. @param parameters the values of `:name` in it */
export function runQuery(dataSource: DataSource, sql: string, parameters: ObjectLiteral): Promise<RawRow[]> {
  return readRows(dataSource, ...dataSource.driver.escapeQueryWithParameters(sql, parameters));
}

/** The same for a statement with its values in the order of its placeholders. */
async function readRows(dataSource: DataSource, sql: string, values: unknown[]): Promise<RawRow[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return (await runStatement(runner, sql, values)).rows;
  } finally {
    await runner.release();
  }
}

/** Runs a statement in the transaction of `manager`; returns how many rows it changed. */
export async function execute(manager: EntityManager, { sql, values }: Statement): Promise<number> {
  return (await runStatement(runnerOf(manager), sql, values)).affected;
}

/** The ids of those of these rows that exist, which nobody can delete until the transaction of `manager` ends. */
export async function findIdsForShare(
  manager: EntityManager,
  table: string,
  ids: string[],
): Promise<string[]> {
  const keys = padded(ids);
  const lock = manager.dataSource.options.type === 'better-sqlite3' ? '' : ' LOCK IN SHARE MODE';
  const sql = `SELECT id FROM ${table} WHERE id IN (${placeholders(keys)})${lock}`;
  return (await runStatement(runnerOf(manager), sql, keys)).rows.map(({ id }) => id as string);
}

/** The connection of a transaction. */
export function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (!queryRunner) throw new Error('Statements are executed in a transaction of UnitOfWork only.');
  return queryRunner;
}

/**
 * Executes in the transaction of `manager` what `record` adds. Returns false, and executes nothing else, when its
 * `updateOrAbort` did not match; a row for `lockParent` must have been locked already.
 */
export async function writeWithin(
  manager: EntityManager,
  record: (tx: Transaction) => void,
): Promise<boolean> {
  const tx = new Transaction();
  record(tx);
  if (tx.conditionalUpdate && (await execute(manager, tx.conditionalUpdate)) !== 1) return false;
  for (const { table, values } of tx.rows) await execute(manager, { sql: table.sqlFor(1), values });
  for (const statement of tx.statements) await execute(manager, statement);
  for (const callback of tx.callbacks) afterCommit(manager, callback);
  return true;
}

/** `runStatement` on SQLite, which is synchronous. */
export function executeOnSqlite(dataSource: DataSource, sql: string, values: unknown[]): StatementResult {
  dataSource.logger.logQuery(sql, values);
  try {
    const statement = prepare(databaseOf(dataSource), sql);
    return statement.reader
      ? { rows: statement.all(values), affected: 0 }
      : { rows: [], affected: statement.run(values).changes };
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

/** TypeORM's connection to the file. */
export function databaseOf({ driver }: DataSource): Database {
  return (driver as unknown as { databaseConnection: Database }).databaseConnection;
}

const prepared = new WeakMap<Database, Map<string, SqliteStatement<unknown[], RawRow>>>();

function prepare(database: Database, sql: string): SqliteStatement<unknown[], RawRow> {
  let statements = prepared.get(database);
  if (!statements)
    prepared.set(database, (statements = new Map<string, SqliteStatement<unknown[], RawRow>>()));
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare<unknown[], RawRow>(sql)));
  return statement;
}

function executeOnServer(
  connection: PoolConnection,
  sql: string,
  values: unknown[],
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, result: RawRow[] | ResultSetHeader) => {
      if (error) {
        reject(error);
      } else {
        resolve(
          Array.isArray(result) ? { rows: result, affected: 0 } : { rows: [], affected: result.affectedRows },
        );
      }
    };
    if (values.length > 0) {
      connection.execute(sql, values as never, settle as never);
    } else {
      connection.query(sql, settle as never);
    }
  });
}

/**
 * 1970 for a date of a damaged row that is none, so that a push that should end on it has ended. A date without a value
 * would limit nothing, and could not be shown.
 */
export function readableMoment<Value>(moment: Value): Value | Date {
  return moment instanceof Date && Number.isNaN(moment.getTime()) ? new Date(0) : moment;
}

/** Whether a date was read from a damaged row, in place of one that is not known any more. */
export function wasUnreadable(moment: Date): boolean {
  return moment.getTime() === 0;
}

type Properties<Row> = Partial<Record<keyof Row & string, unknown>>;

interface PreparedColumn {
  property: string;
  name: string;
  toDatabase: (value: unknown) => unknown;
  fromDatabase: (value: unknown) => unknown;
}

/** Types whose values TypeORM passes to and from the driver unchanged. */
const PLAIN_TYPES = ['varchar', 'integer', 'blob', 'mediumblob'];

let lastTime = NaN;
let lastText = '';

/**
 * The text as which TypeORM stores a `datetime` in SQLite: `2026-11-22 05:06:07.890`, in UTC. Caches the last one,
 * because rows often repeat it.
 */
function dateTimeText(moment: Date): string {
  if (moment.getTime() !== lastTime) {
    lastTime = moment.getTime();
    lastText = moment.toISOString().slice(0, -1).replace('T', ' ');
  }
  return lastText;
}

const MOMENT = {
  toDatabase: (value: unknown) => value && dateTimeText(value as Date),
  fromDatabase: (value: unknown) =>
    value && readableMoment(new Date(`${value as string}Z`.replace(' ', 'T'))),
};

/**
 * The statements of the busiest paths for one entity: built once from TypeORM's metadata and prepared by the driver,
 * with values converted as TypeORM converts them. docs/decisions/0013 contains the reasons and says what these
 * statements cannot do.
 */
export class PreparedStatements<Row extends ObjectLiteral> {
  private readonly metadata: EntityMetadata;
  private readonly columns: PreparedColumn[];
  /** Those that TypeORM selects by default. */
  private readonly listed: PreparedColumn[];
  private readonly byProperty: ReadonlyMap<string, PreparedColumn>;
  private readonly inserts: InsertInto;
  private readonly versionUpdates = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly entity: EntityTarget<Row> & (new () => Row),
  ) {
    this.metadata = dataSource.getMetadata(entity);
    this.columns = this.metadata.columns.map((column) => this.prepare(column));
    this.listed = this.columns.filter((_, index) => this.metadata.columns[index]?.isSelect);
    this.byProperty = new Map(this.columns.map((column) => [column.property, column]));
    this.inserts = new InsertInto(
      this.metadata.tableName,
      this.columns.map(({ name }) => name),
    );
  }

  /** Inserts a row; all its properties must be set. */
  insert(tx: Transaction, row: Row): void {
    const values = this.columns.map(({ property, toDatabase }) => toDatabase(row[property]));
    tx.insert({ table: this.inserts, values });
  }

  /**
   * Sets properties of a row, and increments its version. The transaction is aborted unless the row still has the version
   * that was read.
   */
  updateOrAbort(
    tx: Transaction,
    { id, version }: Row & { id: string; version: number },
    set: Properties<Row>,
  ): void {
    const properties = Object.keys(set);
    const values = properties.map((property) => this.column(property).toDatabase(set[property]));
    const sql = this.versionUpdate(properties);
    tx.updateOrAbort({ rowId: id, version, sql, values: [...values, id, version] });
  }

  /** Increments a counter of a row. The transaction is aborted unless it is below `max`. */
  incrementOrAbort(
    tx: Transaction,
    { id }: Row & { id: string },
    counter: keyof Row & string,
    max: number,
  ): void {
    const { name } = this.column(counter);
    const sql = `UPDATE ${this.metadata.tableName} SET ${name} = ${name} + 1 WHERE id = ? AND ${name} < ?`;
    tx.updateOrAbort({ rowId: id, sql, values: [id, max] });
  }

  /**
   * Finds rows by a unique column, many at a time. Each caller gets its own row object.
   * @param what whole rows, or those without columns that are only loaded when they are selected explicitly
   */
  lookupBy(
    property: keyof Row & string,
    what: 'whole' | 'listed' = 'whole',
  ): Batcher<string, Row | undefined> {
    const { name } = this.column(property);
    const columns = what === 'whole' ? this.columns : this.listed;
    return new Batcher(async (keys) => {
      const raws = await this.select(columns, name, padded(keys));
      const byKey = new Map(raws.map((raw) => [raw[name], raw]));
      return keys.map((key) => {
        const raw = byKey.get(key);
        return raw && this.hydrate(raw, columns);
      });
    });
  }

  /**
   * Finds rows by their ids, in the order of the ids, without columns that are only loaded when they are selected
   * explicitly.
   */
  async findByIds(ids: string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const raws = await this.select(this.listed, 'id', padded(ids));
    const byId = new Map(raws.map((raw) => [raw.id, raw]));
    return ids.flatMap((id) => {
      const raw = byId.get(id);
      return raw ? [this.hydrate(raw, this.listed)] : [];
    });
  }

  /**
   * Finds rows in the transaction of `manager` by a unique column, whose values are the keys of the result.
   * @param select the only properties that are set; by default those that TypeORM selects by default
   */
  async findWithin<Property extends keyof Row & string>(
    manager: EntityManager,
    key: keyof Row & string,
    keys: string[],
    select?: Readonly<Record<Property, true>>,
  ): Promise<Map<string, Pick<Row, Property>>> {
    if (keys.length === 0) return new Map();
    const { name } = this.column(key);
    const columns = select ? Object.keys(select).map((property) => this.column(property)) : this.listed;
    const { rows } = await runStatement(runnerOf(manager), ...this.selection(columns, name, padded(keys)));
    const rowOf = () => (select ? {} : new this.entity()); // an object with all properties of an entity is large
    return new Map(rows.map((raw) => [raw[name] as string, hydrated(rowOf() as Row, raw, columns)]));
  }

  /**
   * Sets properties of rows, each to the value that its row object has, by one statement in the transaction of `manager`.
   * Rows that do not exist any more are left out.
   * @param key a unique column, by which they are found
   */
  async updateWithin(
    manager: EntityManager,
    key: keyof Row & string,
    rows: Row[],
    properties: (keyof Row & string)[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const updated = padded(rows);
    const keys = updated.map((row) => row[key] as unknown);
    const { name: keyName } = this.column(key);
    const cases = `CASE ${keyName} ${'WHEN ? THEN ? '.repeat(keys.length)}END`;
    const assignments: string[] = [];
    const values: unknown[] = [];
    for (const property of properties) {
      const { name, toDatabase } = this.column(property);
      assignments.push(`${name} = ${cases}`);
      for (const row of updated) values.push(row[key], toDatabase(row[property]));
    }
    const where = `${keyName} IN (${placeholders(keys)})`;
    const sql = `UPDATE ${this.metadata.tableName} SET ${assignments.join(', ')} WHERE ${where}`;
    await execute(manager, { sql, values: values.concat(keys) });
  }

  private versionUpdate(properties: string[]): string {
    const name = properties.join();
    let sql = this.versionUpdates.get(name);
    if (sql === undefined) {
      const assignments = properties.map((property) => `${this.column(property).name} = ?, `).join('');
      sql = `UPDATE ${this.metadata.tableName} SET ${assignments}version = version + 1 WHERE id = ? AND version = ?`;
      this.versionUpdates.set(name, sql);
    }
    return sql;
  }

  private select(columns: PreparedColumn[], key: string, keys: string[]): Promise<RawRow[]> {
    return readRows(this.dataSource, ...this.selection(columns, key, keys));
  }

  private selection(columns: PreparedColumn[], key: string, keys: string[]): [sql: string, values: string[]] {
    const names = columns.map(({ name }) => name).join(', ');
    return [`SELECT ${names} FROM ${this.metadata.tableName} WHERE ${key} IN (${placeholders(keys)})`, keys];
  }

  private hydrate(raw: RawRow, columns: PreparedColumn[]): Row {
    return hydrated(new this.entity(), raw, columns);
  }

  private column(property: string): PreparedColumn {
    const column = this.byProperty.get(property);
    if (!column) throw new Error(`${this.metadata.name} has no column ${property}`);
    return column;
  }

  private prepare(column: ColumnMetadata): PreparedColumn {
    const { propertyName: property, databaseName: name, type, transformer } = column;
    const { driver } = this.dataSource;
    const isPlain = PLAIN_TYPES.includes(type as string) && !transformer;
    if (driver.options.type === 'better-sqlite3' && type === 'datetime') return { property, name, ...MOMENT };
    return {
      property,
      name,
      toDatabase: (value) =>
        isPlain || value === null ? value : (driver.preparePersistentValue(value, column) as unknown),
      fromDatabase: (value) =>
        isPlain || value === null ? value : (driver.prepareHydratedValue(value, column) as unknown),
    };
  }
}

function hydrated<Row extends ObjectLiteral>(row: Row, raw: RawRow, columns: PreparedColumn[]): Row {
  const properties: Record<string, unknown> = row;
  for (const { property, name, fromDatabase } of columns) properties[property] = fromDatabase(raw[name]);
  return row;
}

/** The statement that a query builder would execute, for use in a `Transaction`. */
export function statementOf<Row extends ObjectLiteral>(query: QueryBuilder<Row>): Statement {
  const [sql, values] = query.getQueryAndParameters();
  return { sql, values };
}

/** The driver prepares one statement for each number of keys, so only a few numbers are used; the first may repeat. */
export function padded<Key>(keys: Key[]): Key[] {
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array<Key>(length - keys.length).fill(keys[0] as Key)];
}

/** The placeholders of a list of values. */
export function placeholders({ length }: unknown[]): string {
  return `?${', ?'.repeat(length - 1)}`;
}

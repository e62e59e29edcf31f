import type {
  DataSource,
  EntityManager,
  ObjectLiteral,
  QueryRunner,
  EntityMetadata,
  EntityTarget,
  QueryBuilder,
} from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { RawRow, StatementResult, ValueConversion } from '../engine/engine.js';
import { engineOf } from '../engines/engines.js';
import type { Statement } from '../transactions/unit-of-work.js';
import { Transaction, InsertInto, afterCommit, runnerOf } from '../transactions/unit-of-work.js';
import { Batcher } from '../transactions/batcher.js';

/**
 * Runs a statement that the driver prepares once for each connection. Bypasses TypeORM's `query()`, whose events and
 * result objects cost more time than a frequent statement itself.
 * @throws QueryFailedError
 */
function runStatement(runner: QueryRunner, sql: string, values: unknown[] = []): Promise<StatementResult> {
  return engineOf(runner.dataSource).execute(runner, sql, values);
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

/**
 * Inserts a row of a table without foreign keys in the transaction of `manager`. Returns false when there is one with the
 * same unique value. That is no error, after which PostgreSQL would roll back the transaction.
 */
export async function insertUnlessDuplicate<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  row: QueryDeepPartialEntity<Row>,
): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(entity).values(row).orIgnore();
  return (await execute(manager, statementOf(insert))) === 1;
}

/** The ids of those of these rows that exist, which nobody can delete until the transaction of `manager` ends. */
export async function findIdsForShare(
  manager: EntityManager,
  table: string,
  ids: string[],
): Promise<string[]> {
  const keys = padded(ids);
  const { lockForShare } = engineOf(manager.dataSource);
  const sql = `SELECT id FROM ${table} WHERE id IN (${placeholders(keys)})${lockForShare}`;
  return (await runStatement(runnerOf(manager), sql, keys)).rows.map(({ id }) => id as string);
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

type Properties<Row> = Partial<Record<keyof Row & string, unknown>>;

interface PreparedColumn extends ValueConversion {
  property: string;
  name: string;
  /** See `Engine.typedPlaceholder`. */
  typed: string;
}

/** Types whose values TypeORM passes to and from the driver unchanged. */
const PLAIN_TYPES = ['varchar', 'integer', 'blob', 'mediumblob'];

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
    const assignments: string[] = [];
    const values: unknown[] = [];
    for (const property of properties) {
      const { name, typed, toDatabase } = this.column(property);
      assignments.push(`${name} = CASE ${keyName} ${`WHEN ? THEN ${typed} `.repeat(keys.length)}END`);
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
    const engine = engineOf(this.dataSource);
    const typed = engine.typedPlaceholder(column);
    const conversion = engine.conversionOf(column);
    if (conversion) return { property, name, typed, ...conversion };
    return {
      property,
      name,
      typed,
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

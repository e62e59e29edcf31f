import type {
  EntityManager,
  EntityTarget,
  FindOneOptions,
  FindOptionsOrder,
  FindOptionsWhere,
  ObjectLiteral,
  QueryRunner,
} from 'typeorm';
import type { OutageLog } from '../../logging/log.js';
import { isRetryableConflict, isUnavailable, withoutWrapper } from '../errors/database-error.js';

/** The body of a transaction. It may run more than once, so it must change only the database, and must not be slow. */
export type Work<T> = (manager: EntityManager) => Promise<T>;

/** Runs transactions; all writes to the database go through it. */
export abstract class UnitOfWork {
  /** How many transactions and writes wait or run. */
  inProgress = 0;

  /** Whether the database was unavailable to the last transaction or write. */
  isFailing = false;

  /** Is told when the database is available. */
  outage?: OutageLog;

  /**
   * Runs `work` in a transaction, which is committed as a whole or not at all. Resolves after the commit.
   * Calls must not be nested: pass the manager on instead.
   */
  async run<T>(work: Work<T>): Promise<T> {
    let callbacks: (() => void)[] = [];
    const result = await this.observe(
      this.runTransaction((manager) => {
        callbacks = collectCallbacks(manager);
        return work(manager);
      }),
    );
    for (const callback of callbacks) callback();
    return result;
  }

  /**
   * Commits statements that are known in advance, together with those of other requests. Resolves after the commit
   * to whether they were committed: they are not when `updateOrAbort` did not match or, on servers, when the row of
   * `lockParent` does not exist.
   * @param record adds the statements
   */
  async write(record: (tx: Transaction) => void): Promise<boolean> {
    const tx = new Transaction();
    record(tx);
    const isCommitted = await this.observe(this.commit(tx));
    if (isCommitted) for (const callback of tx.callbacks) callback();
    return isCommitted;
  }

  private async observe<T>(working: Promise<T>): Promise<T> {
    this.inProgress += 1;
    try {
      const result = await working;
      this.isFailing = false;
      this.outage?.worked();
      return result;
    } catch (error) {
      if (isUnavailable(error) && !isRetryableConflict(error)) this.isFailing = true;
      throw withoutWrapper(error);
    } finally {
      this.inProgress -= 1;
    }
  }

  protected abstract runTransaction<T>(work: Work<T>): Promise<T>;

  protected abstract commit(tx: Transaction): Promise<boolean>;

  /** Runs statements that must not be part of a transaction; they see only committed data. */
  abstract outsideTransaction<T>(work: Work<T>): Promise<T>;

  /** The option of `find` that locks rows; on SQLite a transaction locks the whole database. */
  protected get lock(): Pick<FindOneOptions, 'lock'> {
    return {};
  }

  /** The row, locked until the transaction of `manager` ends, or null. */
  findForUpdate<Row extends ObjectLiteral>(
    manager: EntityManager,
    entity: EntityTarget<Row>,
    where: FindOptionsWhere<Row>,
  ): Promise<Row | null> {
    return manager.findOne(entity, { where, ...this.lock });
  }

  /** The same for all rows that match, which are locked in the order of their ids. */
  findAllForUpdate<Row extends ObjectLiteral & { id: string }>(
    manager: EntityManager,
    entity: EntityTarget<Row>,
    where: FindOptionsWhere<Row>,
  ): Promise<Row[]> {
    const order = { id: 'ASC' } as FindOptionsOrder<Row>;
    return manager.find(entity, { where, order, ...this.lock });
  }
}

/** A statement for the driver to prepare, with its values. */
export interface Statement {
  sql: string;
  values: unknown[];
}

/** An update of one row by its id. Its transaction is committed only when the update matches the row. */
export interface ConditionalUpdate extends Statement {
  rowId: string;
  /** When given, the update matches only this version of the row and replaces it with the next one. */
  version?: number;
}

/** A row to insert, with its values as the driver expects them. */
export interface NewRow {
  table: InsertInto;
  values: unknown[];
}

/** A row that others refer to. */
interface RowReference {
  table: string;
  id: string;
}

/**
 * The statements of a transaction, all known before it begins: so those of many requests can be committed together. They
 * are executed in the order of the methods here, whatever the order of the calls.
 */
export class Transaction {
  parent?: RowReference;
  conditionalUpdate?: ConditionalUpdate;
  readonly rows: NewRow[] = [];
  readonly statements: Statement[] = [];
  readonly callbacks: (() => void)[] = [];

  /**
   * Locks a row against deletion, to which new rows refer; at most one row in a transaction. On servers nothing is
   * committed if it does not exist. The foreign key is not enough there: MySQL 9.7 accepts rows whose parent another
   * transaction has just deleted. SQLite does not, so this is ignored there: the foreign-key error of the insert is
   * thrown instead.
   */
  lockParent(table: string, id: string): void {
    this.parent = { table, id };
  }

  /** Updates a row, at most one in a transaction. Nothing is committed unless the update matches it. */
  updateOrAbort(update: ConditionalUpdate): void {
    this.conditionalUpdate = update;
  }

  /** Inserts a row, as `PreparedStatements.insert` makes it. */
  insert(row: NewRow): void {
    this.rows.push(row);
  }

  /** Executes any other statement. */
  execute(statement: Statement): void {
    this.statements.push(statement);
  }

  /** Has a function called once the transaction is committed. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }
}

/** The INSERT statements of one table, one for each number of rows. */
export class InsertInto {
  private readonly byCount: string[] = [];

  constructor(
    private readonly table: string,
    private readonly columns: string[],
  ) {}

  sqlFor(count: number): string {
    return (this.byCount[count] ??= this.build(count));
  }

  private build(count: number): string {
    const row = `(${this.columns.map(() => '?').join(', ')})`;
    return `INSERT INTO ${this.table} (${this.columns.join(', ')}) VALUES ${Array<string>(count).fill(row).join(', ')}`;
  }
}

/**
 * The row versions that a batch has replaced: of several that read the same version, only the first succeeds.
 */
export class ReplacedVersions {
  private readonly rowIds = new Set<string>();

  has({ rowId, version }: ConditionalUpdate): boolean {
    return version !== undefined && this.rowIds.has(rowId);
  }

  add({ rowId, version }: ConditionalUpdate): void {
    if (version !== undefined) this.rowIds.add(rowId);
  }
}

type Callback = () => void;

const callbacksOf = new WeakMap<EntityManager, Callback[]>();

/** Calls `callback` once the transaction of `manager` is committed, and not at all when it is rolled back. */
export function afterCommit(manager: EntityManager, callback: Callback): void {
  callbacksOf.get(manager)?.push(callback);
}

/** From now on, `afterCommit` adds to these callbacks. To be called at the beginning of each transaction. */
function collectCallbacks(manager: EntityManager): Callback[] {
  const callbacks: Callback[] = [];
  callbacksOf.set(manager, callbacks);
  return callbacks;
}

/** Marks a transaction that TypeORM did not begin as active, so that its `save()` does not begin another. */
export function markTransaction(runner: QueryRunner, isActive: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = isActive;
}

/** The connection of a transaction. */
export function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (!queryRunner) throw new Error('Statements are executed in a transaction of UnitOfWork only.');
  return queryRunner;
}

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
export interface RowReference {
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

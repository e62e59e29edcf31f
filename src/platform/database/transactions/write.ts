/** A statement for the driver to prepare, with its values. */
export interface Statement {
  sql: string;
  values: unknown[];
}

/** An update of one row by its id. The write it belongs to is committed only when the update matches the row. */
export interface ConditionalUpdate extends Statement {
  rowId: string;
  /** When given, the update matches only this version of the row and replaces it with the next one. */
  version?: number;
}

/** A row to insert, with its values as the driver expects them. */
export interface NewRow {
  table: InsertInto;
  values: unknown[];
  /** Called once the row is committed. */
  afterCommit?: () => void;
}

/** A row that others refer to. */
export interface RowReference {
  table: string;
  id: string;
}

/** Statements that are committed together or not at all, all known before the transaction begins. */
export interface Write {
  /**
   * On servers: if this row does not exist, the write is not committed; otherwise it is locked against deletion. The
   * foreign key is not enough there: MySQL 9.7 accepts rows whose parent another transaction has just deleted. SQLite
   * does not, so this is ignored there: if the row does not exist, the foreign-key error of the insert is thrown.
   */
  parent?: RowReference;
  conditionalUpdate?: ConditionalUpdate;
  /** Rows to insert after the conditional update, table by table in this order. */
  rows?: NewRow[];
  /** Statements to execute last. */
  statements?: Statement[];
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
 * The row versions that a batch has replaced: of several writes that read the same version, only the first succeeds.
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

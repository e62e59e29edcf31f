/** A statement for the driver to prepare, with its values. */
export interface Statement {
  sql: string;
  values: unknown[];
}

/** An update of one row by its id. The write it belongs to is kept only when the update matches the row. */
export interface Guard extends Statement {
  rowId: string;
  /** When given, the update matches only this version of the row and replaces it with the next one. */
  version?: number;
}

/** A row to insert, with its values as the driver takes them. */
export interface NewRow {
  table: InsertInto;
  values: unknown[];
}

/** A row that others refer to. */
export interface RowReference {
  table: string;
  id: string;
}

/** What is kept together or not at all, known in full before the transaction begins. */
export interface Write {
  /**
   * Must exist, and is locked against removal, else the write is not kept. On servers the foreign key is not enough:
   * MySQL 9.7 lets rows be inserted whose parent another transaction has just deleted. On SQLite it is.
   */
  parent?: RowReference;
  guard?: Guard;
  /** Inserted after the guard, in this order of tables. */
  rows?: NewRow[];
  /** Executed last. */
  statements?: Statement[];
}

/** The insert statements of one table, one for each number of rows. */
export class InsertInto {
  private readonly byCount: string[] = [];

  constructor(
    private readonly table: string,
    private readonly columns: string[],
  ) {}

  rows(count: number): string {
    return (this.byCount[count] ??= this.build(count));
  }

  private build(count: number): string {
    const row = `(${this.columns.map(() => '?').join(', ')})`;
    return `INSERT INTO ${this.table} (${this.columns.join(', ')}) VALUES ${Array<string>(count).fill(row).join(', ')}`;
  }
}

/** The versions that a batch of writes has replaced: only the first of several writes that saw the same version counts. */
export class ReplacedVersions {
  private readonly rowIds = new Set<string>();

  has({ rowId, version }: Guard): boolean {
    return version !== undefined && this.rowIds.has(rowId);
  }

  add({ rowId, version }: Guard): void {
    if (version !== undefined) this.rowIds.add(rowId);
  }
}

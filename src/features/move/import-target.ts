import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { databaseErrorCode, WriteTooLarge } from '../../platform/database/errors/database-error.js';
import { UNFINISHED_IMPORT } from '../../platform/database/migrate.js';
import { engineOf } from '../../platform/database/engines/engines.js';
import { tableNames } from '../../platform/database/tables.js';
import type { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InsertInto } from '../../platform/database/transactions/unit-of-work.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { exportedTablesInOrder } from './exported-tables.js';
import type { TableRows } from './row-reader.js';

/** The lock of an import is in it. */
const LEASES = 'leases';

/** The database that rows are imported into. Until `finish` no service starts with it. */
export class ImportTarget {
  private readonly inserts = new Map<EntityMetadata, InsertInto>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws Refusal unless the database is empty, or has only what an interrupted import has left */
  async assertEmpty(): Promise<void> {
    const tables = await tableNames(this.dataSource);
    if (tables.includes(UNFINISHED_IMPORT) || tables.every((name) => name === LEASES)) return;
    throw new Refusal(
      'The database in the settings is not empty, and an import changes nothing that exists: use an empty one.',
    );
  }

  /** Makes the tables; an import that was interrupted starts over. */
  async begin(): Promise<void> {
    await this.run(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_IMPORT} (id integer PRIMARY KEY)`);
    await engineOf(this.dataSource).runMigrations(this.dataSource, this.unitOfWork);
    for (const { target } of (await exportedTablesInOrder(this.dataSource)).toReversed())
      await this.unitOfWork.run((manager) => manager.deleteAll(target));
  }

  /** @throws Refusal */
  async insert({ table, rows }: TableRows): Promise<void> {
    try {
      const insert = this.insertInto(table);
      await this.unitOfWork.write((tx) => {
        for (const row of rows) tx.insert({ table: insert, values: this.valuesOf(row, table) });
      });
    } catch (error) {
      if (error instanceof WriteTooLarge)
        throw new Refusal(
          `A row of table ${table.tableName} is larger than the ${error.bytes} bytes that the database server accepts at once ` +
            '(max_allowed_packet). Raise this on the server, and run the import again.',
        );
      const code = databaseErrorCode(error);
      if (code === '') throw error;
      throw new Refusal(
        `Rows of table ${table.tableName} cannot be written (${code}). The import is not finished: run it again.`,
      );
    }
  }

  /** @throws Refusal when the database has not exactly these numbers of rows */
  async verify(rows: Record<string, number>): Promise<void> {
    for (const { target, tableName } of await exportedTablesInOrder(this.dataSource)) {
      const count = await this.dataSource.manager.count(target, { withDeleted: true });
      if (count !== (rows[tableName] ?? 0))
        throw new Refusal(`Table ${tableName} has ${count} rows, not ${rows[tableName] ?? 0}: run it again.`);
    }
  }

  /** Lets services start with the database. */
  async finish(): Promise<void> {
    await engineOf(this.dataSource).afterImport(this.dataSource, this.unitOfWork);
    await this.run(`DROP TABLE ${UNFINISHED_IMPORT}`);
  }

  /**
   * Removes what an import that failed has written, so that the database is as empty as before. Does nothing once it is
   * finished, also if nobody knows because the response was lost: a service may have started with it.
   */
  async discard(): Promise<void> {
    const tables = await tableNames(this.dataSource);
    if (!tables.includes(UNFINISHED_IMPORT)) return;
    const made = tables.filter((name) => ![LEASES, UNFINISHED_IMPORT].includes(name));
    await engineOf(this.dataSource).dropTables(this.dataSource, this.unitOfWork, [
      ...made,
      UNFINISHED_IMPORT,
    ]);
  }

  private async run(sql: string): Promise<void> {
    await this.unitOfWork.run((manager) => manager.query(sql));
  }

  private valuesOf(row: ObjectLiteral, { columns }: EntityMetadata): unknown[] {
    const { driver } = this.dataSource;
    return columns.map(
      (column) => driver.preparePersistentValue(row[column.propertyName], column) as unknown,
    );
  }

  /** One for each table, so that the rows of a transaction become one statement. */
  private insertInto(table: EntityMetadata): InsertInto {
    const quoted = (name: string) => this.dataSource.driver.escape(name);
    const names = table.columns.map(({ databaseName }) => quoted(databaseName));
    const insert = this.inserts.get(table) ?? new InsertInto(quoted(table.tableName), names);
    this.inserts.set(table, insert);
    return insert;
  }
}

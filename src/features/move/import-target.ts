import type { DataSource, ObjectLiteral } from 'typeorm';
import { databaseErrorCode } from '../../platform/database/errors/database-error.js';
import { WriteTooLarge } from '../../platform/database/errors/write-too-large.js';
import { Lease } from '../../platform/database/lease.entity.js';
import { runMigrations } from '../../platform/database/migrate.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import { tableNames } from '../../platform/database/tables.js';
import { UNFINISHED_IMPORT } from '../../platform/database/unfinished-import.js';
import type { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { MOVED_ENTITIES, UNMOVED_ENTITIES } from './moved-entities.js';
import type { EntityRows } from './row-reader.js';

/** The database that rows are imported into. Until `finish` no service starts with it. */
export class ImportTarget {
  private readonly statements = new Map<EntityRows['entity'], PreparedStatements<ObjectLiteral>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws Refusal unless the database is empty, or has only what an interrupted import has left */
  async assertEmpty(): Promise<void> {
    const tables = await tableNames(this.dataSource);
    if (tables.includes(UNFINISHED_IMPORT) || tables.every((name) => name === 'leases')) return;
    throw new Refusal(
      'The database in the settings is not empty, and an import changes nothing that exists: use an empty one.',
    );
  }

  /** Makes the tables; an import that was interrupted starts over. */
  async begin(): Promise<void> {
    await this.run(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_IMPORT} (id integer PRIMARY KEY)`);
    await runMigrations(this.dataSource, this.unitOfWork);
    for (const entity of MOVED_ENTITIES.toReversed())
      await this.unitOfWork.run((manager) => manager.deleteAll(entity));
  }

  /** @throws Refusal */
  async insert({ entity, table, rows }: EntityRows): Promise<void> {
    try {
      const statements = this.statementsFor(entity);
      await this.unitOfWork.write((tx) => {
        for (const row of rows) statements.insert(tx, row);
      });
    } catch (error) {
      if (error instanceof WriteTooLarge)
        throw new Refusal(
          `A row of table ${table} is larger than the ${error.bytes} bytes that the database server accepts at once ` +
            '(max_allowed_packet). Raise this on the server, and run the import again.',
        );
      const code = databaseErrorCode(error);
      if (code === '') throw error;
      throw new Refusal(
        `Rows of table ${table} cannot be written (${code}). The import is not finished: run it again.`,
      );
    }
  }

  /** @throws Refusal when the database has not exactly these numbers of rows */
  async verify(rows: Record<string, number>): Promise<void> {
    for (const entity of MOVED_ENTITIES) {
      const { tableName } = this.dataSource.getMetadata(entity);
      const count = await this.dataSource.manager.count(entity);
      if (count !== (rows[tableName] ?? 0))
        throw new Refusal(`Table ${tableName} has ${count} rows, not ${rows[tableName] ?? 0}: run it again.`);
    }
  }

  /** Lets services start with the database. */
  async finish(): Promise<void> {
    await this.run(`DROP TABLE ${UNFINISHED_IMPORT}`);
  }

  /**
   * Removes what an import that failed has written, so that the database is as empty as before. Does nothing once it is
   * finished, also if nobody knows because the response was lost: a service may have started with it.
   */
  async discard(): Promise<void> {
    if (!(await tableNames(this.dataSource)).includes(UNFINISHED_IMPORT)) return;
    const tables = [
      ...MOVED_ENTITIES.toReversed(),
      ...UNMOVED_ENTITIES.filter((entity) => entity !== Lease),
    ].map((entity) => this.dataSource.getMetadata(entity).tableName);
    for (const table of [...tables, 'migrations', UNFINISHED_IMPORT])
      await this.run(`DROP TABLE IF EXISTS ${table}`);
  }

  private async run(sql: string): Promise<void> {
    await this.unitOfWork.run((manager) => manager.query(sql));
  }

  private statementsFor(entity: EntityRows['entity']): PreparedStatements<ObjectLiteral> {
    let statements = this.statements.get(entity);
    if (!statements)
      this.statements.set(entity, (statements = new PreparedStatements(this.dataSource, entity)));
    return statements;
  }
}

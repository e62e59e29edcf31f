import { existsSync } from 'node:fs';
import { rm, rmdir, stat } from 'node:fs/promises';
import { Injectable, Module } from '@nestjs/common';
import Database from 'better-sqlite3';
import type { DataSource, DataSourceOptions } from 'typeorm';
import {
  isOfModule,
  knownMigrations,
  moduleOf,
  newerMigrations,
} from '../../platform/database/applied-migrations.js';
import { open } from '../../platform/database/connect.js';
import { dataSourceOptions, engineOf, unitOfWorkOn } from '../../platform/database/engines/engines.js';
import { underMigrationLease } from '../../platform/database/migrate.js';
import type { Schema } from '../../platform/database/migrations.module.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { givenKeyring, missingKey } from '../../platform/sealing/load-keyring.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { APPLICATION_VERSION } from '../../platform/settings/application-version.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Header } from './export-format.js';
import { ImportTarget } from './import-target.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { exportedTables } from './exported-tables.js';
import { MoveAuditKind } from './move.audit-kinds.js';
import { readExport } from './read-export.js';
import type { TableRows } from './row-reader.js';
import { RowReader } from './row-reader.js';
import { LoggingModule } from '../../platform/logging/logging.module.js';
import { SettingsModule } from '../../platform/settings/settings.module.js';

/** Imports an exported file into the empty database of the settings. */
@Injectable()
export class ImportService {
  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /**
   * Returns how many rows of each table were imported. The whole file is checked before the first is written; what
   * fails leaves nothing behind.
   * @param schema that of the service and its modules
   * @throws Refusal
   */
  async importFile(path: string, schema: Schema): Promise<Record<string, number>> {
    const { DATA_DIR } = this.settings;
    const options = Object.assign(await dataSourceOptions(this.settings), schema);
    const file = engineOf({ options }).fileOf(options);
    const isNew = file !== undefined && !existsSync(file);
    const isNewFolder = !existsSync(DATA_DIR);
    try {
      return await this.importInto(options, path);
    } catch (error) {
      if (isNew && (await isEmptyFile(file)))
        for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
      if (isNewFolder) await rmdir(DATA_DIR).catch(() => undefined); // it is not empty, or was never created
      throw error;
    }
  }

  private async importInto(options: DataSourceOptions, path: string): Promise<Record<string, number>> {
    const dataSource = await open(options);
    const unitOfWork = unitOfWorkOn(dataSource);
    const target = new ImportTarget(dataSource, unitOfWork);
    const rows = Object.fromEntries([...exportedTables(dataSource).keys()].map((table) => [table, 0]));
    try {
      await target.assertEmpty();
      await this.check(path, dataSource);
      await underMigrationLease(dataSource, unitOfWork, async () => {
        await target.assertEmpty(); // while this process waited, another may have used it
        try {
          await target.begin();
          for await (const batch of rowsIn(path, dataSource)) {
            await target.insert(batch);
            const { tableName } = batch.table;
            rows[tableName] = (rows[tableName] ?? 0) + batch.rows.length;
          }
          await target.verify(rows);
          const entries = dataSource.getRepository(InstanceAuditEntry);
          await new InstanceAudit(entries, unitOfWork, this.settings, this.log).record(
            MoveAuditKind.database_imported,
          );
          await target.finish(); // last: what fails before is discarded
        } catch (error) {
          await target.discard().catch(() => undefined); // no service starts with what is left
          throw error;
        }
      });
    } finally {
      await dataSource.destroy();
    }
    return rows;
  }

  private async check(path: string, dataSource: DataSource): Promise<void> {
    const masterKeys: MasterKey[] = [];
    for await (const { table, rows } of rowsIn(path, dataSource)) {
      if (table.target === MasterKey) masterKeys.push(...(rows as MasterKey[]));
    }
    const id = missingKey(await givenKeyring(this.settings), masterKeys);
    if (id !== undefined)
      throw new Refusal(
        `${path} holds what was sealed with master key ${id}, which is not configured. ` +
          'Give it in MASTER_KEYS (or MASTER_KEYS_FILE), or put master.key of the old DATA_DIR into DATA_DIR.',
      );
  }
}

/** Whether it has no tables; another process may have made some in the meantime. */
async function isEmptyFile(path: string): Promise<boolean> {
  if (!existsSync(path) || (await stat(path)).size === 0) return true;
  const database = new Database(path, { readonly: true });
  try {
    return (
      database.prepare("SELECT 1 FROM sqlite_master WHERE name <> 'leases' AND type = 'table'").get() ===
      undefined
    );
  } finally {
    database.close();
  }
}

async function* rowsIn(path: string, dataSource: DataSource): AsyncGenerator<TableRows> {
  const reader = new RowReader(dataSource);
  const checkHeader = (header: Header) => {
    assertSameSchema(path, header, knownMigrations(dataSource));
  };
  for await (const batch of readExport(path, checkHeader)) yield reader.read(batch);
}

/** Rows of another schema would need its migrations, which a file cannot run. */
function assertSameSchema(
  path: string,
  { migrations, application_version: version }: Header,
  known: string[],
): void {
  if (!migrations.every(isOfModule))
    throw new Refusal(
      `${path} was exported by a build from before the first release, whose schema is not known.`,
    );
  const loaded = new Set(known.map(moduleOf));
  const others = new Set(migrations.map(moduleOf).filter((module) => !loaded.has(module)));
  if (others.size > 0)
    throw new Refusal(
      `${path} was exported by version ${version} with modules that are not loaded here (${[...others].join(', ')}): ` +
        'import it with that version and the same MODULES.',
    );
  if (newerMigrations(migrations, known).length > 0)
    throw new Refusal(
      `${path} was exported by a newer version, ${version}: import it with that version, this is ${APPLICATION_VERSION}.`,
    );
  if (known.some((name) => !migrations.includes(name)))
    throw new Refusal(
      `${path} was exported by an older version, ${version}, or without some of the MODULES here. ` +
        `Start this version, ${APPLICATION_VERSION}, with them and the old database, which upgrades it, and export it again.`,
    );
}

/** Not the service itself, which would register its master key and start with the database before the import. */
@Module({ imports: [SettingsModule, LoggingModule], providers: [ImportService] })
export class ImportModule {}

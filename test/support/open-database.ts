import type { EntityTarget, ObjectLiteral, DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { connect, openUnitOfWork } from '../../src/platform/database/connect.js';
import { dataSourceOptions } from '../../src/platform/database/engines/engines.js';
import { Lease } from '../../src/platform/database/leases.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import { SqliteUnitOfWork } from '../../src/platform/database/sqlite/sqlite-unit-of-work.js';
import type { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import type { Instance } from './instance.js';

/** The database of an instance without the rest of the app, with its own connection. */
export interface OpenDatabase {
  dataSource: DataSource;
  unitOfWork: UnitOfWork;
  /** Runs a statement on the write connection, outside of any transaction. */
  onWriter(sql: string): Promise<any>;
  /** Inserts a row into a table that accepts any text. */
  write(name: string, holder?: string): Promise<void>;
  /** The names of the inserted rows. */
  written(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openDatabase(
  instance: Instance,
  entities: EntityTarget<ObjectLiteral>[] = [],
): Promise<OpenDatabase> {
  const options = await dataSourceOptions(readSettings(instance.env));
  const { migrations } = await schemaIn(AppModule);
  const dataSource = await connect(Object.assign(options, { entities: [Lease, ...entities], migrations }));
  await dataSource.manager.deleteAll(Lease);
  const unitOfWork = await openUnitOfWork(dataSource);
  return {
    dataSource,
    unitOfWork,
    onWriter: (sql) => unitOfWork.outsideTransaction((manager) => manager.query(sql)),
    write: async (name, holder = '') => {
      await unitOfWork.run((manager) => manager.insert(Lease, { name, holder, endsAt: 0 }));
    },
    written: async () =>
      (await dataSource.manager.find(Lease, { order: { name: 'ASC' } })).map(({ name }) => name),
    close: async () => {
      if (unitOfWork instanceof SqliteUnitOfWork) await unitOfWork.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}

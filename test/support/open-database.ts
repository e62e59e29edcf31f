import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { DataSource } from 'typeorm';
import { connect } from '../../src/database/connect.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Lease } from '../../src/database/lease.entity.js';
import type { UnitOfWork } from '../../src/database/unit-of-work.js';
import { unitOfWorkFor } from '../../src/database/unit-of-work-for.js';
import { readSettings } from '../../src/settings/read-settings.js';
import type { Place } from './place.js';

/** The database of a place without the rest of the app; each has a connection of its own. */
export interface OpenDatabase {
  dataSource: DataSource;
  unitOfWork: UnitOfWork;
  /** Writes a row to a table that has room for any text. */
  write(name: string, holder?: string): Promise<void>;
  /** The names of the rows written. */
  written(): Promise<string[]>;
}

export async function openDatabase(
  place: Place,
  entities: EntityTarget<ObjectLiteral>[] = [],
): Promise<OpenDatabase> {
  const options = await dataSourceOptions(readSettings(place.env));
  const dataSource = await connect(Object.assign(options, { entities: [Lease, ...entities] }));
  await dataSource.manager.deleteAll(Lease);
  const unitOfWork = unitOfWorkFor(dataSource);
  return {
    dataSource,
    unitOfWork,
    write: async (name, holder = '') => {
      await unitOfWork.run((manager) => manager.insert(Lease, { name, holder, endsAt: 0 }));
    },
    written: async () =>
      (await dataSource.manager.find(Lease, { order: { name: 'ASC' } })).map(({ name }) => name),
  };
}

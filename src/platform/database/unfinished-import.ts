import type { DataSource } from 'typeorm';
import { StartError } from '../settings/start-error.js';
import { tableNames } from './tables.js';

/** Exists from before the first row is imported until after the last. */
export const UNFINISHED_IMPORT = 'unfinished_import';

/** @throws StartError when an import into this database was interrupted */
export async function assertImportFinished(dataSource: DataSource): Promise<void> {
  if (!(await tableNames(dataSource)).includes(UNFINISHED_IMPORT)) return;
  throw new StartError(
    'An import into this database has not finished: ' +
      'run it again (npm run -s cli -- import FILE), or use an empty database.',
  );
}

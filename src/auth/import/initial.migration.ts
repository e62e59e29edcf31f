import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column, primary } from '../../platform/database/columns.js';

const { reference, digest } = column;

export class ImportedAccounts_Initial1767390000000 extends AdditiveMigration {
  protected override readonly tables = [
    { name: 'imported_accounts', columns: [digest('id', primary), reference('user_id')] },
  ];
}

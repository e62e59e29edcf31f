import { AdditiveMigration } from '../platform/database/additive-migration.js';
import { column, primary } from '../platform/database/columns.js';

const { reference, digest, integer, bigint } = column;

export class ImportedPushes_Initial1767540000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'imported_pushes',
      columns: [
        digest('id', primary),
        reference('push_id'),
        integer('views_imported'),
        bigint('last_log_entry'),
      ],
    },
  ];
}

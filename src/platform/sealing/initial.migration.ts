import { AdditiveMigration } from '../database/additive-migration.js';
import { column, primary } from '../database/columns.js';

const { text, sealed, dateTime } = column;

export class Sealing_Initial1767200000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'master_keys',
      columns: [text('id', 16, primary), sealed('key_check'), dateTime('created_at')],
    },
  ];
}

import { AdditiveMigration } from './additive-migration.js';
import { column, primary } from './columns.js';

const { text, reference, bigint } = column;

export class Database_Initial1767000000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'leases',
      columns: [text('name', 64, primary), reference('holder'), bigint('ends_at')],
    },
  ];
}

import { AdditiveMigration, column, primary } from 'sealpush';

export class Usage_Initial1800000000000 extends AdditiveMigration {
  protected override readonly tables = [
    { name: 'usage_counts', columns: [column.reference('user_id', primary), column.integer('pushes')] },
  ];
}

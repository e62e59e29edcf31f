import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, primary } from '../../platform/database/columns.js';

const { reference, digest, dateTime } = column;

export class IdempotencyKeys_Initial1767510000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'idempotency_keys',
      columns: [digest('digest', primary), reference('push_id'), dateTime('created_at')],
      indices: [{ columnNames: ['push_id'] }, { columnNames: ['created_at'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
  ];
}

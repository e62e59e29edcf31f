import { AdditiveMigration, needs, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, reference, sealed, dateTime, integer } = column;

export class Webhooks_Initial1768000000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'webhooks',
      columns: [
        id,
        reference('user_id', nullable),
        text('master_key_id', 16),
        sealed('sealed'),
        text('events', 200),
        dateTime('created_at'),
        dateTime('failing_since', nullable),
        dateTime('disabled_at', nullable),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
    { name: 'webhook_changes', columns: [id, integer('changes')] },
  ];

  protected override readonly rows = { webhook_changes: { id: 'webhooks', changes: 0 } };
}

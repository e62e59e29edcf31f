import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, reference, dateTime } = column;

export class PassphraseAttempts_Initial1767520000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'passphrase_attempts',
      columns: [
        id,
        reference('push_id'),
        text('network', 45),
        text('wide_network', 45, nullable),
        dateTime('attempted_at'),
        dateTime('pending_until', nullable),
      ],
      indices: [{ columnNames: ['push_id', 'attempted_at'] }, { columnNames: ['attempted_at'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
  ];
}

import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable, primary } from '../../platform/database/columns.js';

const { id, reference, digest, sealed, dateTime, integer } = column;

export class Recipients_Initial1767700000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'open_codes',
      columns: [
        id,
        reference('push_id'),
        digest('address_digest'),
        digest('code_digest'),
        integer('tries_left'),
        dateTime('expires_at'),
      ],
      indices: [
        { columnNames: ['push_id', 'address_digest'], isUnique: true },
        { columnNames: ['expires_at'] },
      ],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
    {
      name: 'openings',
      columns: [
        digest('id', primary),
        reference('push_id'),
        reference('audit_entry_id'),
        sealed('sealed', nullable),
      ],
      indices: [{ columnNames: ['push_id'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
    {
      name: 'entered_addresses',
      columns: [reference('audit_entry_id', primary), sealed('sealed')],
      foreignKeys: [removedWith('audit_entries', 'audit_entry_id')],
    },
  ];
}

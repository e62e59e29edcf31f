import { AdditiveMigration, removedWith } from '../platform/database/additive-migration.js';
import { column, nullable, primary } from '../platform/database/columns.js';

const { id, text, reference, digest, dateTime, flag, integer, bigint } = column;

export class Audit_Initial1767600000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'audit_entries',
      columns: [
        id,
        reference('push_id'),
        text('kind', 20),
        text('ip', 45),
        text('user_agent', 255),
        text('referrer', 255),
        flag('by_owner', { default: '0' }),
        reference('link_id', nullable),
        dateTime('created_at'),
        reference('owner_id', nullable),
        bigint('number', nullable),
        digest('digest', nullable),
        integer('file_number', nullable),
      ],
      indices: [
        { columnNames: ['push_id', 'id'] },
        { name: 'audit_entries_of_owner', columnNames: ['owner_id', 'number', 'id'] },
        {
          name: 'audit_entries_of_link',
          columnNames: ['link_id'],
          isUnique: true,
          where: 'link_id IS NOT NULL',
        },
      ],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
    {
      name: 'audit_heads',
      columns: [
        reference('push_id', primary),
        integer('entries'),
        digest('digest'),
        flag('removing', { default: '0' }),
      ],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
    { name: 'audit_sequences', columns: [id, bigint('last')] },
  ];

  protected override readonly rows = { audit_sequences: { id: 'chain', last: 0 } };
}

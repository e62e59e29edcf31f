import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, reference, sealed, dateTime, integer } = column;

export class LinkMails_Initial1767530000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'link_mails',
      columns: [
        id,
        reference('push_id'),
        reference('audit_entry_id'),
        sealed('sealed'),
        integer('attempts'),
        dateTime('changed_at', nullable),
        text('outcome', 10, nullable),
        text('error', 100, nullable),
      ],
      indices: [{ columnNames: ['push_id'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    },
  ];
}

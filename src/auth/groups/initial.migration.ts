import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, exactText, dateTime, flag, integer } = column;

export class AccountGroups_Initial1767310000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'account_groups',
      columns: [
        id,
        exactText('name', 60),
        flag('may_create'),
        integer('max_days', nullable),
        integer('max_views', nullable),
        text('require_passphrase', 5),
        text('require_click', 5),
        text('require_recipients', 5),
        text('require_end_to_end', 5),
        dateTime('created_at'),
      ],
      indices: [{ columnNames: ['name'], isUnique: true }],
    },
  ];
}

import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, exactText, reference, sealed, dateTime, flag, integer } = column;

export class Accounts_Initial1767300000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'users',
      columns: [
        id,
        exactText('email', 254),
        text('password_hash', 255, nullable),
        dateTime('created_at'),
        flag('email_unverified', { default: '0' }),
        flag('administrator', { default: '0' }),
        dateTime('last_used_at', nullable),
        integer('notify_on', { default: '0' }),
        text('language', 8, nullable),
        dateTime('disabled_at', nullable),
        flag('named_in_mails', { default: '1' }),
        flag('has_second_factor', { default: '0' }),
        dateTime('provider_sign_in_at', nullable),
        reference('group_id', nullable),
        integer('sign_ins_ended', { default: '0' }),
      ],
      indices: [
        { columnNames: ['email'], isUnique: true },
        { columnNames: ['administrator'] },
        { columnNames: ['password_hash'] },
        { columnNames: ['group_id'] },
      ],
    },
    {
      name: 'administration',
      columns: [id, integer('changes'), text('setup_key_id', 16, nullable), sealed('setup_code', nullable)],
    },
  ];

  protected override readonly rows = { administration: { id: 'administration', changes: 0 } };
}

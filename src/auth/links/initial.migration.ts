import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable, primary } from '../../platform/database/columns.js';

const { id, exactText, reference, digest, dateTime } = column;

export class Links_Initial1767360000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'password_links',
      columns: [reference('user_id', primary), digest('digest'), dateTime('ends_at')],
      indices: [{ columnNames: ['digest'], isUnique: true }, { columnNames: ['ends_at'] }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
    {
      name: 'email_links',
      columns: [
        id,
        exactText('email', 254),
        reference('user_id', nullable),
        digest('digest'),
        dateTime('ends_at'),
      ],
      indices: [
        { columnNames: ['email'] },
        { columnNames: ['user_id'] },
        { columnNames: ['digest'], isUnique: true },
        { columnNames: ['ends_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    },
  ];
}

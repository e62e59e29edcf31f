import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, reference, digest, dateTime, flag } = column;

export class Tokens_Initial1767320000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'api_tokens',
      columns: [
        id,
        reference('user_id'),
        text('name', 255),
        digest('digest'),
        text('prefix', 6),
        dateTime('created_at'),
        dateTime('last_used_at', nullable),
        text('scope', 10, { default: "'everything'" }),
        dateTime('ends_at', nullable),
        flag('end_announced', { default: '0' }),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
  ];
}

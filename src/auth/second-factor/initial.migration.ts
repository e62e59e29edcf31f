import { AdditiveMigration, needs, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, reference, digest, sealed, dateTime, integer, bigint } = column;

export class SecondFactor_Initial1767350000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'authenticators',
      columns: [
        id,
        reference('user_id'),
        text('master_key_id', 16),
        sealed('sealed'),
        integer('last_step'),
        dateTime('created_at'),
      ],
      indices: [{ columnNames: ['user_id'], isUnique: true }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
    {
      name: 'passkeys',
      columns: [
        id,
        reference('user_id'),
        digest('digest'),
        sealed('credential_id'),
        sealed('public_key'),
        bigint('counter'),
        text('transports', 100),
        text('name', 60),
        dateTime('created_at'),
        dateTime('last_used_at', nullable),
        dateTime('challenged_at'),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
    {
      name: 'recovery_codes',
      columns: [id, reference('user_id'), digest('digest')],
      indices: [{ columnNames: ['user_id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
    {
      name: 'recovery_keys',
      columns: [id, reference('user_id'), text('master_key_id', 16), sealed('sealed')],
      indices: [{ columnNames: ['user_id'], isUnique: true }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
  ];
}

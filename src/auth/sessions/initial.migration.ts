import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable, primary } from '../../platform/database/columns.js';

const { id, text, exactText, reference, digest, dateTime } = column;

export class Sessions_Initial1767330000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'sessions',
      columns: [
        id,
        reference('user_id'),
        digest('digest'),
        dateTime('created_at'),
        dateTime('last_seen_at'),
        dateTime('ends_at'),
        dateTime('proven_at', nullable),
        text('user_agent', 255, nullable),
        text('ip', 45, nullable),
        reference('identity_id', nullable),
        digest('provider_session', nullable),
      ],
      indices: [
        { columnNames: ['user_id'] },
        { columnNames: ['digest'], isUnique: true },
        { columnNames: ['last_seen_at'] },
        { columnNames: ['ends_at'] },
        { columnNames: ['provider_session'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    },
    {
      name: 'sign_in_marks',
      columns: [digest('digest', primary), dateTime('ended_at'), dateTime('kept_until')],
      indices: [{ columnNames: ['kept_until'] }],
    },
    {
      name: 'known_browsers',
      columns: [digest('id', primary), reference('user_id'), dateTime('created_at'), dateTime('seen_at')],
      indices: [{ columnNames: ['user_id'] }, { columnNames: ['seen_at'] }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
    {
      name: 'identities',
      columns: [id, reference('user_id'), digest('digest'), exactText('email', 254), dateTime('created_at')],
      indices: [{ columnNames: ['user_id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    },
  ];
}

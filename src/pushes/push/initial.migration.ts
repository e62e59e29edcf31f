import { AdditiveMigration, needs, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, longText, reference, digest, sealed, longSealed, dateTime, flag, integer } = column;

/** Pushes without an owner are in no list. */
const OWNED = { where: 'user_id IS NOT NULL' };

export class Pushes_Initial1767500000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'pushes',
      columns: [
        id,
        digest('token_digest'),
        text('kind', 8),
        reference('user_id', nullable),
        text('master_key_id', 16),
        sealed('owner_key'),
        sealed('url_token'),
        sealed('name', nullable),
        sealed('note', nullable),
        sealed('data_key', nullable),
        longSealed('payload', nullable),
        sealed('passphrase_salt', nullable),
        integer('expire_after_days'),
        integer('expire_after_views'),
        flag('deletable_by_viewer'),
        flag('retrieval_step'),
        flag('client_encrypted', { default: '0' }),
        integer('views_counted'),
        dateTime('last_viewed_at', nullable),
        dateTime('created_at'),
        dateTime('updated_at'),
        dateTime('expires_at'),
        dateTime('expired_on', nullable),
        flag('ended', { default: '0' }),
        flag('deleted'),
        integer('failures_audited'),
        integer('owner_views_audited'),
        integer('passphrase_attempts'),
        integer('notify_on', { default: '0' }),
        dateTime('passphrase_notice_at', nullable),
        integer('files_count'),
        integer('version', { default: '0' }),
        flag('owner_only', { default: '0' }),
        flag('names_sender', { default: '0' }),
        integer('expire_after_first_view', nullable),
        dateTime('opens_at', nullable),
        longText('allowed_networks', nullable),
        sealed('recipients', nullable),
        flag('once_per_recipient', { default: '0' }),
      ],
      indices: [
        { columnNames: ['token_digest'], isUnique: true },
        { name: 'pushes_of_owner_by_id', columnNames: ['user_id', 'id'], ...OWNED },
        {
          name: 'pushes_of_owner_in_list',
          columnNames: ['user_id', 'ended', 'id', 'expires_at'],
          ...OWNED,
        },
        { name: 'pushes_of_owner_by_limit', columnNames: ['user_id', 'ended', 'expires_at', 'id'], ...OWNED },
        { name: 'pushes_of_owner_by_end', columnNames: ['user_id', 'expired_on', 'id', 'expires_at'] },
        { columnNames: ['expired_on', 'expires_at'] },
        { columnNames: ['master_key_id', 'id'] },
      ],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
  ];
}

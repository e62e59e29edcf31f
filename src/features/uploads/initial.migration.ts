import { AdditiveMigration, needs } from '../../platform/database/additive-migration.js';
import { column, nullable } from '../../platform/database/columns.js';

const { id, text, longText, reference, digest, longSealed, dateTime, flag, integer, bigint } = column;

export class Uploads_Initial1796200000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'uploads', // they outlive their account until their bytes are removed
      columns: [
        id,
        digest('token_digest'),
        reference('user_id', nullable),
        digest('limit_digest', nullable),
        text('network', 45, nullable),
        text('wide_network', 45, nullable),
        text('master_key_id', 16),
        longSealed('sealed'),
        bigint('length'),
        bigint('received'),
        bigint('stored_bytes'),
        digest('storage_key'),
        longText('store_state', nullable),
        longSealed('tail', nullable),
        flag('is_age_file'),
        longText('epochs'),
        integer('appends'),
        reference('appender', nullable),
        bigint('append_until'),
        dateTime('ends_at'),
      ],
      indices: [
        { columnNames: ['token_digest'], isUnique: true },
        { columnNames: ['storage_key'] },
        { columnNames: ['user_id'] },
        { columnNames: ['limit_digest'] },
        { columnNames: ['network'] },
        { columnNames: ['wide_network'] },
        { columnNames: ['master_key_id', 'id'] },
        { columnNames: ['ends_at'] },
      ],
      foreignKeys: [needs('master_keys', 'master_key_id')],
    },
  ];
}

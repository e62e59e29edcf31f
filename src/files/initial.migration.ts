import { AdditiveMigration } from '../platform/database/additive-migration.js';
import { column, nullable, primary } from '../platform/database/columns.js';

const { id, reference, digest, sealed, dateTime, flag, integer, bigint } = column;

export class Files_Initial1767800000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'files', // they may outlive their push
      columns: [
        id,
        reference('push_id'),
        integer('position'),
        sealed('name'),
        sealed('content_type'),
        bigint('size'),
        digest('storage_key'),
        dateTime('links_until', nullable),
        dateTime('ended_on', nullable),
        integer('downloads_audited'),
      ],
      indices: [
        { columnNames: ['push_id', 'position'] },
        { columnNames: ['ended_on', 'id'] },
        { columnNames: ['storage_key'] },
      ],
    },
    {
      name: 'installation',
      columns: [id, reference('installation_id'), flag('has_marked_store'), flag('is_sweep_stopped')],
    },
    { name: 'unknown_files', columns: [digest('storage_key', primary), dateTime('first_seen_at')] },
  ];
}

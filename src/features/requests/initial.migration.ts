import { AdditiveMigration, needs, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable, primary } from '../../platform/database/columns.js';

const { id, text, reference, digest, longSealed, dateTime, flag, integer, bigint } = column;

export class Requests_Initial1767900000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'requests',
      columns: [
        id,
        digest('token_digest'),
        reference('user_id'),
        text('master_key_id', 16),
        longSealed('sealed'),
        integer('close_after_duration'),
        dateTime('closes_at'),
        dateTime('open_until'),
        text('closed_by', 12, nullable),
        integer('answers'),
        integer('answers_counted'),
        bigint('bytes_received'),
        flag('files_allowed'),
        flag('shows_requestor'),
        flag('notifies'),
        dateTime('noticed_at', nullable),
        dateTime('notice_due_at', nullable),
        integer('expire_after_days'),
        bigint('lifetime'),
        integer('expire_after_views'),
        flag('deletable_by_viewer'),
        flag('retrieval_step'),
        integer('failures_audited'),
        integer('passphrase_attempts'),
        dateTime('created_at'),
        dateTime('updated_at'),
      ],
      indices: [
        { columnNames: ['token_digest'], isUnique: true },
        { columnNames: ['user_id', 'open_until', 'id'] },
        { columnNames: ['master_key_id', 'id'] },
        { columnNames: ['open_until'] },
        { columnNames: ['notice_due_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
    {
      name: 'request_answers',
      columns: [reference('push_id', primary), reference('request_id'), dateTime('created_at')],
      indices: [{ columnNames: ['request_id', 'push_id'] }],
      foreignKeys: [removedWith('pushes', 'push_id'), removedWith('requests', 'request_id')],
    },
    {
      name: 'request_audit_entries',
      columns: [
        id,
        reference('request_id'),
        text('kind', 20),
        text('ip', 45),
        text('user_agent', 255),
        text('referrer', 255),
        dateTime('created_at'),
      ],
      indices: [{ columnNames: ['request_id', 'id'] }],
      foreignKeys: [removedWith('requests', 'request_id')],
    },
    {
      name: 'request_passphrase_attempts',
      columns: [
        id,
        text('network', 45),
        text('wide_network', 45, nullable),
        dateTime('attempted_at'),
        dateTime('pending_until', nullable),
        reference('request_id'),
      ],
      indices: [{ columnNames: ['attempted_at'] }, { columnNames: ['request_id', 'attempted_at'] }],
      foreignKeys: [removedWith('requests', 'request_id')],
    },
  ];
}

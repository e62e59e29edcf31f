import type { DataSource, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions, needs, removedWith } from './additions.js';

/** Requests for secrets, pushes that only their owner can open, and pushes that name their sender. */
export class Requests1765500000000 extends Additions {
  override name = 'Requests1765500000000';

  protected override tablesOf({ dataSource: { driver, options } }: QueryRunner): Table[] {
    const isServer = options.type !== 'better-sqlite3';
    const number = (name: string) => ({ name, type: isServer ? 'int' : 'integer' });
    const large = (name: string) => ({ name, type: 'bigint' });
    const flag = (name: string) => ({ name, type: driver.normalizeType({ type: 'boolean' }) });
    const text = (name: string, length: string) => ({ name, type: 'varchar', length });
    const reference = (name: string) => text(name, '36');
    const id = { ...reference('id'), isPrimary: true };
    const time = (name: string) => ({ name, type: 'datetime', precision: 3 });
    return [
      new Table({
        name: 'requests',
        columns: [
          id,
          text('token_digest', '64'),
          reference('user_id'),
          text('master_key_id', '16'),
          { name: 'sealed', type: 'mediumblob' },
          number('close_after_duration'),
          time('closes_at'),
          time('open_until'),
          { ...text('closed_by', '12'), isNullable: true },
          number('answers'),
          number('answers_counted'),
          large('bytes_received'),
          flag('files_allowed'),
          flag('shows_requestor'),
          flag('notifies'),
          { ...time('noticed_at'), isNullable: true },
          { ...time('notice_due_at'), isNullable: true },
          number('expire_after_days'),
          large('lifetime'),
          number('expire_after_views'),
          flag('deletable_by_viewer'),
          flag('retrieval_step'),
          number('failures_audited'),
          number('passphrase_attempts'),
          time('created_at'),
          time('updated_at'),
        ],
        indices: [
          { columnNames: ['token_digest'], isUnique: true },
          { columnNames: ['user_id', 'open_until', 'id'] },
          { columnNames: ['master_key_id', 'id'] },
          { columnNames: ['open_until'] },
          { columnNames: ['notice_due_at'] },
        ],
        foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
      }),
      new Table({
        name: 'request_answers',
        columns: [{ ...reference('push_id'), isPrimary: true }, reference('request_id'), time('created_at')],
        indices: [{ columnNames: ['request_id', 'push_id'] }],
        foreignKeys: [removedWith('pushes', 'push_id'), removedWith('requests', 'request_id')],
      }),
      new Table({
        name: 'request_audit_entries',
        columns: [
          id,
          reference('request_id'),
          text('kind', '20'),
          text('ip', '45'),
          text('user_agent', '255'),
          text('referrer', '255'),
          time('created_at'),
        ],
        indices: [{ columnNames: ['request_id', 'id'] }],
        foreignKeys: [removedWith('requests', 'request_id')],
      }),
      new Table({
        name: 'request_passphrase_attempts',
        columns: [
          id,
          text('network', '45'),
          { ...text('wide_network', '45'), isNullable: true },
          time('attempted_at'),
          { ...time('pending_until'), isNullable: true },
          reference('request_id'),
        ],
        indices: [{ columnNames: ['attempted_at'] }, { columnNames: ['request_id', 'attempted_at'] }],
        foreignKeys: [removedWith('requests', 'request_id')],
      }),
    ];
  }

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    const flag = `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 0`;
    return [
      ['pushes', 'owner_only', flag],
      ['pushes', 'names_sender', flag],
    ];
  }
}

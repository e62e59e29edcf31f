import type { MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';
import { Table } from 'typeorm';

const id = { name: 'id', type: 'varchar', length: '36', isPrimary: true };
const reference = { type: 'varchar', length: '36' };
const digest = { type: 'varchar', length: '64' };
const sealed = { type: 'blob' };
const count = { type: 'integer' };

const cascade = { onDelete: 'CASCADE', onUpdate: 'NO ACTION', referencedColumnNames: ['id'] };
const restrict = { ...cascade, onDelete: 'NO ACTION' };
const owned = { where: 'user_id IS NOT NULL' }; // MySQL and MariaDB have no partial indexes, and index all rows
const IF_NOT_EXISTS = true; // a server does not roll back tables that it created before a start was killed

export class Initial1763600000000 implements MigrationInterface {
  name = 'Initial1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    const moment = (name: string, options: Partial<TableColumnOptions> = {}) => ({
      name,
      type: 'datetime',
      precision: 3,
      ...options,
    });
    // the engine's own type name for a boolean
    const boolean = runner.dataSource.driver.normalizeType({ type: 'boolean' });
    const flag = { type: boolean };

    for (const table of [
      new Table({
        name: 'leases',
        columns: [
          { name: 'name', type: 'varchar', length: '64', isPrimary: true },
          { name: 'holder', ...reference },
          { name: 'ends_at', type: 'bigint' },
        ],
      }),
      new Table({
        name: 'master_keys',
        columns: [
          { name: 'id', type: 'varchar', length: '16', isPrimary: true },
          { name: 'proof', ...sealed },
          moment('created_at'),
        ],
      }),
      new Table({
        name: 'users',
        columns: [
          id,
          { name: 'email', type: 'varchar', length: '254' },
          { name: 'password_hash', type: 'varchar', length: '255', isNullable: true },
          moment('created_at'),
        ],
        indices: [{ columnNames: ['email'], isUnique: true }],
      }),
      new Table({
        name: 'api_tokens',
        columns: [
          id,
          { name: 'user_id', ...reference },
          { name: 'name', type: 'varchar', length: '255' },
          { name: 'digest', ...digest },
          moment('created_at'),
          moment('last_used_at', { isNullable: true }),
        ],
        indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['digest'], isUnique: true }],
        foreignKeys: [{ columnNames: ['user_id'], referencedTableName: 'users', ...cascade }],
      }),
      new Table({
        name: 'sessions',
        columns: [
          id,
          { name: 'user_id', ...reference },
          { name: 'digest', ...digest },
          moment('created_at'),
          moment('last_seen_at'),
          moment('ends_at'),
        ],
        indices: [
          { columnNames: ['user_id'] },
          { columnNames: ['digest'], isUnique: true },
          { columnNames: ['last_seen_at'] },
          { columnNames: ['ends_at'] },
        ],
        foreignKeys: [{ columnNames: ['user_id'], referencedTableName: 'users', ...cascade }],
      }),
      new Table({
        name: 'sign_in_attempts',
        columns: [
          id,
          { name: 'account', ...digest },
          { name: 'address', type: 'varchar', length: '45' },
          moment('attempted_at'),
        ],
        indices: [
          { columnNames: ['account', 'attempted_at'] },
          { columnNames: ['address', 'attempted_at'] },
          { columnNames: ['attempted_at'] },
        ],
      }),
      new Table({
        name: 'pushes',
        columns: [
          id,
          { name: 'token_digest', ...digest },
          { name: 'kind', type: 'varchar', length: '8' },
          { name: 'user_id', ...reference, isNullable: true },
          { name: 'master_key_id', type: 'varchar', length: '16' },
          { name: 'owner_key', ...sealed },
          { name: 'url_token', ...sealed },
          { name: 'name', ...sealed, isNullable: true },
          { name: 'note', ...sealed, isNullable: true },
          { name: 'data_key', ...sealed, isNullable: true },
          { name: 'payload', type: 'mediumblob', isNullable: true },
          { name: 'passphrase_salt', ...sealed, isNullable: true },
          { name: 'expire_after_days', ...count },
          { name: 'expire_after_views', ...count },
          { name: 'deletable_by_viewer', ...flag },
          { name: 'retrieval_step', ...flag },
          { name: 'views_counted', ...count },
          moment('created_at'),
          moment('updated_at'),
          moment('expires_at'),
          moment('expired_on', { isNullable: true }),
          { name: 'deleted', ...flag },
          { name: 'failures_audited', ...count },
          { name: 'owner_views_audited', ...count },
          { name: 'passphrase_attempts', ...count },
          { name: 'files_count', ...count },
        ],
        indices: [
          { columnNames: ['token_digest'], isUnique: true },
          { name: 'pushes_of_owner', columnNames: ['user_id', 'id', 'expired_on', 'expires_at'], ...owned },
          { name: 'pushes_of_owner_by_end', columnNames: ['user_id', 'expired_on', 'id', 'expires_at'] },
          { columnNames: ['expired_on', 'expires_at'] },
          { columnNames: ['master_key_id', 'id'] },
        ],
        foreignKeys: [
          { columnNames: ['user_id'], referencedTableName: 'users', ...cascade },
          { columnNames: ['master_key_id'], referencedTableName: 'master_keys', ...restrict },
        ],
      }),
      new Table({
        name: 'files',
        columns: [
          id,
          { name: 'push_id', ...reference },
          { name: 'position', ...count },
          { name: 'name', ...sealed },
          { name: 'content_type', ...sealed },
          { name: 'size', type: 'bigint' },
          { name: 'storage_key', ...digest },
          moment('links_until', { isNullable: true }),
          moment('ended_on', { isNullable: true }),
          { name: 'downloads_audited', ...count },
        ],
        indices: [
          { columnNames: ['push_id', 'position'] },
          { columnNames: ['ended_on', 'id'] },
          { columnNames: ['storage_key'] },
        ],
      }),
      new Table({
        name: 'passphrase_attempts',
        columns: [
          id,
          { name: 'push_id', ...reference },
          { name: 'address', type: 'varchar', length: '45' },
          moment('attempted_at'),
        ],
        indices: [{ columnNames: ['push_id', 'attempted_at'] }, { columnNames: ['attempted_at'] }],
        foreignKeys: [{ columnNames: ['push_id'], referencedTableName: 'pushes', ...cascade }],
      }),
      new Table({
        name: 'audit_entries',
        columns: [
          id,
          { name: 'push_id', ...reference },
          { name: 'kind', type: 'varchar', length: '20' },
          { name: 'ip', type: 'varchar', length: '45' },
          { name: 'user_agent', type: 'varchar', length: '255' },
          { name: 'referrer', type: 'varchar', length: '255' },
          { name: 'link_id', ...reference, isNullable: true },
          moment('created_at'),
        ],
        indices: [{ columnNames: ['push_id', 'id'] }, { columnNames: ['link_id'], isUnique: true }],
        foreignKeys: [{ columnNames: ['push_id'], referencedTableName: 'pushes', ...cascade }],
      }),
    ]) {
      await runner.createTable(table, IF_NOT_EXISTS);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [
      'audit_entries',
      'passphrase_attempts',
      'files',
      'pushes',
      'sign_in_attempts',
      'sessions',
      'api_tokens',
      'users',
      'master_keys',
    ]) {
      await runner.dropTable(name);
    }
  }
}

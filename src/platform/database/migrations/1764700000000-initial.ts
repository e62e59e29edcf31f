import type { MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';
import { Table } from 'typeorm';
import { IF_NOT_EXISTS, needs, removedWith } from './additions.js';

type Options = Partial<TableColumnOptions>;
const nullable = { isNullable: true };

/** The rows that exist from the beginning, each the only one of its table. */
const ONLY_ROWS = [
  `administration (id, changes) VALUES ('administration', 0)`,
  `audit_sequences (id, last) VALUES ('chain', 0)`,
  `webhook_changes (id, changes) VALUES ('webhooks', 0)`,
  `settings_in_force (id, shown) VALUES ('settings', '{}')`,
];

export class Initial1764700000000 implements MigrationInterface {
  name = 'Initial1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tablesOf(runner)) await runner.createTable(table, IF_NOT_EXISTS);
    for (const row of ONLY_ROWS) {
      const [existing] = (await runner.query(`SELECT id FROM ${row.split(' ')[0]}`)) as unknown[];
      if (!existing) await runner.query(`INSERT INTO ${row}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of tablesOf(runner).toReversed()) await runner.dropTable(name);
  }
}

function tablesOf({ dataSource: { driver, options } }: QueryRunner): Table[] {
  const isSqlite = options.type === 'better-sqlite3';
  const booleanType = driver.normalizeType({ type: 'boolean' });
  const integerType = isSqlite ? 'integer' : 'int';

  const text = (name: string, length: number, more: Options = {}) => ({
    name,
    type: 'varchar',
    length: String(length),
    ...more,
  });
  /** Compared byte by byte, as SQLite always does. */
  const exactText = (name: string, length: number) =>
    text(name, length, isSqlite ? {} : { charset: 'utf8mb4', collation: 'utf8mb4_bin' });
  const reference = (name: string, more: Options = {}) => text(name, 36, more);
  const digest = (name: string, more: Options = {}) => text(name, 64, more);
  const sealed = (name: string, more: Options = {}) => ({ name, type: 'blob', ...more });
  const time = (name: string, more: Options = {}) => ({ name, type: 'datetime', precision: 3, ...more });
  const flag = (name: string, more: Options = {}) => ({ name, type: booleanType, ...more });
  const integer = (name: string, more: Options = {}) => ({ name, type: integerType, ...more });
  const bigint = (name: string, more: Options = {}) => ({ name, type: 'bigint', ...more });
  const primary = { isPrimary: true };
  const id = reference('id', primary);

  return [
    new Table({
      name: 'leases',
      columns: [text('name', 64, primary), reference('holder'), bigint('ends_at')],
    }),
    new Table({
      name: 'master_keys',
      columns: [text('id', 16, primary), sealed('key_check'), time('created_at')],
    }),
    new Table({
      name: 'users',
      columns: [
        id,
        exactText('email', 254),
        text('password_hash', 255, nullable),
        time('created_at'),
        flag('email_unverified', { default: '0' }),
        flag('administrator', { default: '0' }),
        time('last_used_at', nullable),
        integer('notify_on', { default: '0' }),
        text('language', 8, nullable),
        time('disabled_at', nullable),
      ],
      indices: [{ columnNames: ['email'], isUnique: true }, { columnNames: ['administrator'] }],
    }),
    new Table({
      name: 'administration',
      columns: [id, integer('changes'), text('setup_key_id', 16, nullable), sealed('setup_code', nullable)],
    }),
    new Table({
      name: 'api_tokens',
      columns: [
        id,
        reference('user_id'),
        text('name', 255),
        digest('digest'),
        text('prefix', 6),
        time('created_at'),
        time('last_used_at', nullable),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'sessions',
      columns: [
        id,
        reference('user_id'),
        digest('digest'),
        time('created_at'),
        time('last_seen_at'),
        time('ends_at'),
      ],
      indices: [
        { columnNames: ['user_id'] },
        { columnNames: ['digest'], isUnique: true },
        { columnNames: ['last_seen_at'] },
        { columnNames: ['ends_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'sign_in_attempts',
      columns: [
        id,
        digest('account'),
        text('network', 45),
        text('wide_network', 45, nullable),
        time('attempted_at'),
      ],
      indices: [
        { columnNames: ['account', 'attempted_at'] },
        { columnNames: ['network', 'attempted_at'] },
        { columnNames: ['wide_network', 'attempted_at'] },
        { columnNames: ['attempted_at'] },
      ],
    }),
    new Table({
      name: 'known_networks',
      columns: [digest('id', primary), reference('user_id'), text('network', 45), time('seen_at')],
      indices: [
        { columnNames: ['user_id'] },
        { columnNames: ['network', 'seen_at'] },
        { columnNames: ['seen_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'password_links',
      columns: [reference('user_id', primary), digest('digest'), time('ends_at')],
      indices: [{ columnNames: ['digest'], isUnique: true }, { columnNames: ['ends_at'] }],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'email_links',
      columns: [
        id,
        exactText('email', 254),
        reference('user_id', nullable),
        digest('digest'),
        time('ends_at'),
      ],
      indices: [
        { columnNames: ['email'] },
        { columnNames: ['user_id'] },
        { columnNames: ['digest'], isUnique: true },
        { columnNames: ['ends_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'mail_counts',
      columns: [digest('subject', primary), integer('mails'), time('ends_at')],
      indices: [{ columnNames: ['ends_at'] }],
    }),
    new Table({
      name: 'daily_usage',
      columns: [reference('user_id', primary), text('day', 10), bigint('bytes'), bigint('mails')],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
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
        { name: 'payload', type: 'mediumblob', isNullable: true },
        sealed('passphrase_salt', nullable),
        integer('expire_after_days'),
        integer('expire_after_views'),
        flag('deletable_by_viewer'),
        flag('retrieval_step'),
        flag('client_encrypted', { default: '0' }),
        integer('views_counted'),
        time('last_viewed_at', nullable),
        time('created_at'),
        time('updated_at'),
        time('expires_at'),
        time('expired_on', nullable),
        flag('ended', { default: '0' }),
        flag('deleted'),
        integer('failures_audited'),
        integer('owner_views_audited'),
        integer('passphrase_attempts'),
        integer('notify_on', { default: '0' }),
        time('passphrase_notice_at', nullable),
        integer('files_count'),
        integer('version', { default: '0' }),
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
    }),
    new Table({
      name: 'idempotency_keys',
      columns: [digest('digest', primary), reference('push_id'), time('created_at')],
      indices: [{ columnNames: ['push_id'] }, { columnNames: ['created_at'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    }),
    new Table({
      name: 'files', // they may outlive their push
      columns: [
        id,
        reference('push_id'),
        integer('position'),
        sealed('name'),
        sealed('content_type'),
        bigint('size'),
        digest('storage_key'),
        time('links_until', nullable),
        time('ended_on', nullable),
        integer('downloads_audited'),
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
        reference('push_id'),
        text('network', 45),
        text('wide_network', 45, nullable),
        time('attempted_at'),
        time('pending_until', nullable),
      ],
      indices: [{ columnNames: ['push_id', 'attempted_at'] }, { columnNames: ['attempted_at'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    }),
    new Table({
      name: 'audit_entries',
      columns: [
        id,
        reference('push_id'),
        text('kind', 20),
        text('ip', 45),
        text('user_agent', 255),
        text('referrer', 255),
        flag('by_owner', { default: '0' }),
        reference('link_id', nullable),
        time('created_at'),
        reference('owner_id', nullable),
        bigint('number', nullable),
        digest('digest', nullable),
      ],
      indices: [
        { columnNames: ['push_id', 'id'] },
        { name: 'audit_entries_of_owner', columnNames: ['owner_id', 'number', 'id'] },
        {
          name: 'audit_entries_of_link',
          columnNames: ['link_id'],
          isUnique: true,
          where: 'link_id IS NOT NULL',
        },
      ],
      foreignKeys: [removedWith('pushes', 'push_id')],
    }),
    new Table({
      name: 'audit_heads',
      columns: [
        reference('push_id', primary),
        integer('entries'),
        digest('digest'),
        flag('removing', { default: '0' }),
      ],
      foreignKeys: [removedWith('pushes', 'push_id')],
    }),
    new Table({ name: 'audit_sequences', columns: [id, bigint('last')] }),
    new Table({
      name: 'link_mails',
      columns: [
        id,
        reference('push_id'),
        reference('audit_entry_id'),
        sealed('sealed'),
        integer('attempts'),
        time('changed_at', nullable),
        text('outcome', 10, nullable),
        text('error', 100, nullable),
      ],
      indices: [{ columnNames: ['push_id'] }],
      foreignKeys: [removedWith('pushes', 'push_id')],
    }),
    new Table({
      name: 'outbox_messages',
      columns: [
        id,
        text('channel', 20),
        text('destination', 64),
        text('kind', 40),
        reference('user_id', nullable),
        text('master_key_id', 16, nullable),
        sealed('sealed', nullable),
        time('created_at'),
        integer('attempts'),
        time('next_attempt_at', nullable),
        time('ended_at', nullable),
        text('outcome', 10, nullable),
        text('error', 100, nullable),
      ],
      indices: [
        { name: 'outbox_messages_due', columnNames: ['next_attempt_at', 'destination'] },
        { columnNames: ['destination', 'next_attempt_at'] },
        { name: 'outbox_messages_of_destination', columnNames: ['destination', 'id'] },
        { columnNames: ['channel', 'outcome', 'ended_at'] },
        { columnNames: ['outcome', 'ended_at'] },
        { columnNames: ['user_id'] },
        { columnNames: ['master_key_id'] },
      ],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    }),
    new Table({
      name: 'webhooks',
      columns: [
        id,
        reference('user_id', nullable),
        text('master_key_id', 16),
        sealed('sealed'),
        text('events', 200),
        time('created_at'),
        time('failing_since', nullable),
        time('disabled_at', nullable),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    }),
    new Table({ name: 'webhook_changes', columns: [id, integer('changes')] }),
    new Table({
      name: 'instance_audit_entries',
      columns: [
        id,
        time('created_at'),
        text('kind', 30),
        text('actor_type', 10),
        reference('actor_id', nullable),
        text('actor', 254),
        reference('subject_id', nullable),
        text('subject', 254),
        text('ip', 45),
        text('user_agent', 255),
        { name: 'details', type: 'text' },
        flag('is_logged'),
      ],
      indices: [
        { columnNames: ['kind', 'id'] },
        { name: 'instance_audit_entries_of_subject', columnNames: ['subject_id', 'kind', 'id'] },
        { columnNames: ['is_logged', 'id'] },
      ],
    }),
    new Table({ name: 'settings_in_force', columns: [id, { name: 'shown', type: 'text' }] }),
  ];
}

/** Excludes pushes without an owner on SQLite; MySQL and MariaDB have no partial indexes, and index all rows. */
const OWNED = { where: 'user_id IS NOT NULL' };

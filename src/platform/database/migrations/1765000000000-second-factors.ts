import type { DataSource, QueryRunner, TableColumnOptions } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions, needs, removedWith } from './additions.js';

/** Authenticator apps, passkeys and recovery codes, and when a session last had a proof of who uses it. */
export class SecondFactors1765000000000 extends Additions {
  override name = 'SecondFactors1765000000000';

  protected override tablesOf(runner: QueryRunner): Table[] {
    return tablesOf(runner);
  }

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    return [
      ['users', 'has_second_factor', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 0`],
      ['sessions', 'proven_at', 'datetime(3)'],
    ];
  }
}

function tablesOf({ dataSource: { options } }: QueryRunner): Table[] {
  const integer = options.type === 'better-sqlite3' ? 'integer' : 'int';
  const reference = (name: string) => ({ name, type: 'varchar', length: '36' });
  const digest = { name: 'digest', type: 'varchar', length: '64' };
  const time = (name: string, more: Partial<TableColumnOptions> = {}) => ({
    name,
    type: 'datetime',
    precision: 3,
    ...more,
  });
  const id = { ...reference('id'), isPrimary: true };
  return [
    new Table({
      name: 'authenticators',
      columns: [
        id,
        reference('user_id'),
        { name: 'master_key_id', type: 'varchar', length: '16' },
        { name: 'sealed', type: 'blob' },
        { name: 'last_step', type: integer },
        time('created_at'),
      ],
      indices: [{ columnNames: ['user_id'], isUnique: true }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    }),
    new Table({
      name: 'passkeys',
      columns: [
        id,
        reference('user_id'),
        digest,
        { name: 'credential_id', type: 'blob' },
        { name: 'public_key', type: 'blob' },
        { name: 'counter', type: 'bigint' },
        { name: 'transports', type: 'varchar', length: '100' },
        { name: 'name', type: 'varchar', length: '60' },
        time('created_at'),
        time('last_used_at', { isNullable: true }),
        time('challenged_at'),
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
    new Table({
      name: 'recovery_codes',
      columns: [id, reference('user_id'), digest],
      indices: [{ columnNames: ['user_id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [removedWith('users', 'user_id')],
    }),
  ];
}

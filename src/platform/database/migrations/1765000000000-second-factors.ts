import type { MigrationInterface, QueryRunner, TableColumnOptions, TableForeignKeyOptions } from 'typeorm';
import { Table } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { NewColumn } from './add-columns.js';
import { AddColumns } from './add-columns.js';

const IF_NOT_EXISTS = true; // a server does not roll back tables that it created before a start was killed

/** Authenticator apps, passkeys and recovery codes, and when a session last had a proof of who uses it. */
export class SecondFactors1765000000000 extends AddColumns implements MigrationInterface {
  override name = 'SecondFactors1765000000000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const table of tablesOf(runner)) await runner.createTable(table, IF_NOT_EXISTS);
    await super.up(runner);
  }

  override async down(runner: QueryRunner): Promise<void> {
    await super.down(runner);
    for (const { name } of tablesOf(runner).toReversed()) await runner.dropTable(name);
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
      foreignKeys: [
        foreignKey('users', 'user_id', 'CASCADE'),
        foreignKey('master_keys', 'master_key_id', 'NO ACTION'),
      ],
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
      foreignKeys: [foreignKey('users', 'user_id', 'CASCADE')],
    }),
    new Table({
      name: 'recovery_codes',
      columns: [id, reference('user_id'), digest],
      indices: [{ columnNames: ['user_id'] }, { columnNames: ['digest'], isUnique: true }],
      foreignKeys: [foreignKey('users', 'user_id', 'CASCADE')],
    }),
  ];
}

function foreignKey(table: string, column: string, onDelete: string): TableForeignKeyOptions {
  return {
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: ['id'],
    onDelete,
    onUpdate: 'NO ACTION',
  };
}

import type { QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn, NewIndex } from './additions.js';
import { Additions, needs, removedWith } from './additions.js';

/** What was imported from another service, and the keys of recovery codes from there. */
export class Imports1765400000000 extends Additions {
  override name = 'Imports1765400000000';

  protected override tablesOf({ dataSource: { options } }: QueryRunner): Table[] {
    const integer = options.type === 'better-sqlite3' ? 'integer' : 'int';
    const reference = (name: string) => ({ name, type: 'varchar', length: '36' });
    const digest = { name: 'id', type: 'varchar', length: '64', isPrimary: true };
    return [
      new Table({ name: 'imported_accounts', columns: [digest, reference('user_id')] }),
      new Table({
        name: 'imported_pushes',
        columns: [
          digest,
          reference('push_id'),
          { name: 'views_imported', type: integer },
          { name: 'last_log_entry', type: 'bigint' },
        ],
      }),
      new Table({
        name: 'recovery_keys',
        columns: [
          { ...reference('id'), isPrimary: true },
          reference('user_id'),
          { name: 'master_key_id', type: 'varchar', length: '16' },
          { name: 'sealed', type: 'blob' },
        ],
        indices: [{ columnNames: ['user_id'], isUnique: true }, { columnNames: ['master_key_id', 'id'] }],
        foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
      }),
    ];
  }

  protected columnsOf(): NewColumn[] {
    return [];
  }

  /** Sign-ins look for hashes of imported passwords. */
  protected override indicesOf(): NewIndex[] {
    return [['users', 'password_hash']];
  }
}

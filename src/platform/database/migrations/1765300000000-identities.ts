import type { QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn, NewIndex } from './additions.js';
import { Additions, removedWith } from './additions.js';

/** Who people are at a provider of OpenID Connect, and which sessions began there. */
export class Identities1765300000000 extends Additions {
  override name = 'Identities1765300000000';

  protected override tablesOf(runner: QueryRunner): Table[] {
    return [identities(runner)];
  }

  protected columnsOf(): NewColumn[] {
    return [
      ['users', 'provider_sign_in_at', 'datetime(3)'],
      ['sessions', 'identity_id', 'varchar(36)'],
      ['sessions', 'provider_session', 'varchar(64)'],
    ];
  }

  protected override indicesOf(): NewIndex[] {
    return [['sessions', 'provider_session']];
  }
}

function identities({ dataSource: { options } }: QueryRunner): Table {
  const exact = options.type === 'better-sqlite3' ? {} : { charset: 'utf8mb4', collation: 'utf8mb4_bin' };
  return new Table({
    name: 'identities',
    columns: [
      { name: 'id', type: 'varchar', length: '36', isPrimary: true },
      { name: 'user_id', type: 'varchar', length: '36' },
      { name: 'digest', type: 'varchar', length: '64' },
      { name: 'email', type: 'varchar', length: '254', ...exact },
      { name: 'created_at', type: 'datetime', precision: 3 },
    ],
    indices: [{ columnNames: ['user_id'] }, { columnNames: ['digest'], isUnique: true }],
    foreignKeys: [removedWith('users', 'user_id')],
  });
}

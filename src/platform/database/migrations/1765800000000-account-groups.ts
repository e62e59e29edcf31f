import type { QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn, NewIndex } from './additions.js';
import { Additions } from './additions.js';

/** Groups of accounts with rules of their own for what they create. */
export class AccountGroups1765800000000 extends Additions {
  override name = 'AccountGroups1765800000000';

  protected override tablesOf({ dataSource: { driver, options } }: QueryRunner): Table[] {
    const isServer = options.type !== 'better-sqlite3';
    const exact = isServer ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
    const number = (name: string) => ({ name, type: isServer ? 'int' : 'integer', isNullable: true });
    const text = (name: string, length: string) => ({ name, type: 'varchar', length });
    return [
      new Table({
        name: 'account_groups',
        columns: [
          { ...text('id', '36'), isPrimary: true },
          { ...text('name', '60'), ...exact },
          { name: 'may_create', type: driver.normalizeType({ type: 'boolean' }) },
          number('max_days'),
          number('max_views'),
          text('require_passphrase', '5'),
          text('require_click', '5'),
          text('require_recipients', '5'),
          text('require_end_to_end', '5'),
          { name: 'created_at', type: 'datetime', precision: 3 },
        ],
        indices: [{ columnNames: ['name'], isUnique: true }],
      }),
    ];
  }

  protected columnsOf(): NewColumn[] {
    return [['users', 'group_id', 'varchar(36) NULL']];
  }

  protected override indicesOf(): NewIndex[] {
    return [['users', 'group_id']];
  }
}

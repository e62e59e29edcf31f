import type { DataSource, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions, removedWith } from './additions.js';

/** Pushes that name who may open them, the codes that these get by mail, and what they have opened. */
export class Recipients1765700000000 extends Additions {
  override name = 'Recipients1765700000000';

  protected override tablesOf({ dataSource: { options } }: QueryRunner): Table[] {
    const isServer = options.type !== 'better-sqlite3';
    const text = (name: string, length: string) => ({ name, type: 'varchar', length });
    const reference = (name: string) => text(name, '36');
    return [
      new Table({
        name: 'open_codes',
        columns: [
          { ...reference('id'), isPrimary: true },
          reference('push_id'),
          text('address_digest', '64'),
          text('code_digest', '64'),
          { name: 'tries_left', type: isServer ? 'int' : 'integer' },
          { name: 'expires_at', type: 'datetime', precision: 3 },
        ],
        indices: [
          { columnNames: ['push_id', 'address_digest'], isUnique: true },
          { columnNames: ['expires_at'] },
        ],
        foreignKeys: [removedWith('pushes', 'push_id')],
      }),
      new Table({
        name: 'openings',
        columns: [
          { ...text('id', '64'), isPrimary: true },
          reference('push_id'),
          reference('audit_entry_id'),
          { name: 'sealed', type: 'blob', isNullable: true },
        ],
        indices: [{ columnNames: ['push_id'] }],
        foreignKeys: [removedWith('pushes', 'push_id')],
      }),
    ];
  }

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    return [
      ['pushes', 'recipients', 'blob'],
      ['pushes', 'once_per_recipient', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 0`],
    ];
  }
}

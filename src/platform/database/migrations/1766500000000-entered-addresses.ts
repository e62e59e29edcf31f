import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions, removedWith } from './additions.js';

/** Which email addresses were entered by those who were refused a code, or whose code was wrong. */
export class EnteredAddresses1766500000000 extends Additions {
  override name = 'EnteredAddresses1766500000000';

  protected override tablesOf(): Table[] {
    return [
      new Table({
        name: 'entered_addresses',
        columns: [
          { name: 'audit_entry_id', type: 'varchar', length: '36', isPrimary: true },
          { name: 'sealed', type: 'blob' },
        ],
        foreignKeys: [removedWith('audit_entries', 'audit_entry_id')],
      }),
    ];
  }

  protected columnsOf(): NewColumn[] {
    return [];
  }
}

import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions, removedWith } from './additions.js';

/** Which browsers an account is signed in to, and those that it has used. */
export class SignedInBrowsers1765200000000 extends Additions {
  override name = 'SignedInBrowsers1765200000000';

  protected override tablesOf(): Table[] {
    return [knownBrowsers()];
  }

  protected columnsOf(): NewColumn[] {
    return [
      ['sessions', 'user_agent', 'varchar(255)'],
      ['sessions', 'ip', 'varchar(45)'],
    ];
  }
}

function knownBrowsers(): Table {
  return new Table({
    name: 'known_browsers',
    columns: [
      { name: 'id', type: 'varchar', length: '64', isPrimary: true },
      { name: 'user_id', type: 'varchar', length: '36' },
      { name: 'created_at', type: 'datetime', precision: 3 },
      { name: 'seen_at', type: 'datetime', precision: 3 },
    ],
    indices: [{ columnNames: ['user_id'] }, { columnNames: ['seen_at'] }],
    foreignKeys: [removedWith('users', 'user_id')],
  });
}

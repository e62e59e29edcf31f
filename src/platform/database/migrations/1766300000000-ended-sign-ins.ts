import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** What sign-ins that wait for their next step must not outlive. */
export class EndedSignIns1766300000000 extends Additions {
  override name = 'EndedSignIns1766300000000';

  protected override tablesOf(): Table[] {
    return [
      new Table({
        name: 'sign_in_marks',
        columns: [
          { name: 'digest', type: 'varchar', length: '64', isPrimary: true },
          { name: 'ended_at', type: 'datetime', precision: 3 },
          { name: 'kept_until', type: 'datetime', precision: 3 },
        ],
        indices: [{ columnNames: ['kept_until'] }],
      }),
    ];
  }

  protected columnsOf(): NewColumn[] {
    return [['users', 'sign_ins_ended', 'integer NOT NULL DEFAULT 0']];
  }
}

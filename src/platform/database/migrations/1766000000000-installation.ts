import type { QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** The id of the installation, and the stored files that no row refers to. */
export class Installation1766000000000 extends Additions {
  override name = 'Installation1766000000000';

  protected override tablesOf({ dataSource: { driver } }: QueryRunner): Table[] {
    const flag = (name: string) => ({ name, type: driver.normalizeType({ type: 'boolean' }) });
    const id = (name: string) => ({ name, type: 'varchar', length: '36' });
    return [
      new Table({
        name: 'installation',
        columns: [
          { ...id('id'), isPrimary: true },
          id('installation_id'),
          flag('has_marked_store'),
          flag('is_sweep_stopped'),
        ],
      }),
      new Table({
        name: 'unknown_files',
        columns: [
          { name: 'storage_key', type: 'varchar', length: '64', isPrimary: true },
          { name: 'first_seen_at', type: 'datetime', precision: 3 },
        ],
      }),
    ];
  }

  protected columnsOf(): NewColumn[] {
    return [];
  }
}

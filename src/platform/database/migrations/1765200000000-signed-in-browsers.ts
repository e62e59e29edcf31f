import type { QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import type { NewColumn } from './add-columns.js';
import { AddColumns } from './add-columns.js';

const IF_NOT_EXISTS = true; // a server does not roll back tables that it created before a start was killed

/** Which browsers an account is signed in to, and those that it has used. */
export class SignedInBrowsers1765200000000 extends AddColumns {
  override name = 'SignedInBrowsers1765200000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(knownBrowsers(), IF_NOT_EXISTS);
    await super.up(runner);
  }

  override async down(runner: QueryRunner): Promise<void> {
    await super.down(runner);
    await runner.dropTable('known_browsers');
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
    foreignKeys: [
      {
        columnNames: ['user_id'],
        referencedTableName: 'users',
        referencedColumnNames: ['id'],
        onDelete: 'CASCADE',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

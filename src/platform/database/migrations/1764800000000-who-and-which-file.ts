import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { NewColumn } from './add-columns.js';
import { addColumns, dropColumns } from './add-columns.js';

/** Which file was downloaded, for the owner of a push, and whether mails with links name the account that sends them. */
export class WhoAndWhichFile1764800000000 implements MigrationInterface {
  name = 'WhoAndWhichFile1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, columnsOf(runner));
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, columnsOf(runner));
  }
}

function columnsOf({ dataSource: { driver } }: QueryRunner): NewColumn[] {
  return [
    ['audit_entries', 'file_number', 'integer'],
    ['users', 'named_in_mails', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 1`],
  ];
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { NewColumn } from './add-columns.js';
import { addColumns, dropColumns } from './add-columns.js';

/** What API tokens may be used for, and when they end. */
export class LimitedTokens1764900000000 implements MigrationInterface {
  name = 'LimitedTokens1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, columnsOf(runner));
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, columnsOf(runner));
  }
}

function columnsOf({ dataSource: { driver } }: QueryRunner): NewColumn[] {
  return [
    ['api_tokens', 'scope', "varchar(10) NOT NULL DEFAULT 'everything'"],
    ['api_tokens', 'ends_at', 'datetime(3)'],
    ['api_tokens', 'end_announced', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 0`],
  ];
}

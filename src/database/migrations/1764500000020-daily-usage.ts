import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { UploadDays1763900000001 } from './1763900000001-upload-days.js';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

/** Counts mails in the same rows as the bytes that accounts upload in a day. */
export class DailyUsage1764500000020 implements MigrationInterface {
  name = 'DailyUsage1764500000020';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'daily_usage',
      columns: [
        { name: 'user_id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'day', type: 'varchar', length: '10' },
        { name: 'bytes', type: 'bigint' },
        { name: 'mails', type: 'bigint' },
      ],
      foreignKeys: [foreignKey('user_id', 'users', 'CASCADE')],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
    if (!(await runner.hasTable('upload_days'))) return; // a start was killed after this had removed it
    await runner.query(
      `INSERT INTO daily_usage (user_id, day, bytes, mails) SELECT user_id, day, bytes, 0 FROM upload_days WHERE user_id NOT IN (SELECT user_id FROM daily_usage)`,
    );
    await runner.dropTable('upload_days');
  }

  async down(runner: QueryRunner): Promise<void> {
    await new UploadDays1763900000001().up(runner);
    await runner.query(
      `INSERT INTO upload_days (user_id, day, bytes) SELECT user_id, day, bytes FROM daily_usage`,
    );
    await runner.dropTable('daily_usage');
  }
}

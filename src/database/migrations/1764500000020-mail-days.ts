import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class MailDays1764500000020 implements MigrationInterface {
  name = 'MailDays1764500000020';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'mail_days',
      columns: [
        { name: 'user_id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'day', type: 'varchar', length: '10' },
        {
          name: 'mails',
          type: runner.dataSource.driver.options.type === 'better-sqlite3' ? 'integer' : 'int',
        },
      ],
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
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mail_days');
  }
}

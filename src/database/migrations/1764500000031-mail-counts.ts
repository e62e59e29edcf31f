import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class MailCounts1764500000031 implements MigrationInterface {
  name = 'MailCounts1764500000031';

  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.driver.options.type === 'better-sqlite3';
    const table = new Table({
      name: 'mail_counts',
      columns: [
        { name: 'subject', type: 'varchar', length: '64', isPrimary: true },
        { name: 'mails', type: isSqlite ? 'integer' : 'int' },
        { name: 'ends_at', type: 'datetime', precision: 3 },
      ],
      indices: [{ columnNames: ['ends_at'] }],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mail_counts');
  }
}

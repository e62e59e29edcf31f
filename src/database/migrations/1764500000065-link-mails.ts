import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

/** Adds what became of mails with links, for the owners of the pushes. */
export class LinkMails1764500000065 implements MigrationInterface {
  name = 'LinkMails1764500000065';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'link_mails',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'push_id', type: 'varchar', length: '36' },
        { name: 'audit_entry_id', type: 'varchar', length: '36' },
        { name: 'sealed', type: 'blob' },
        {
          name: 'attempts',
          type: runner.dataSource.driver.options.type === 'better-sqlite3' ? 'integer' : 'int',
        },
        { name: 'changed_at', type: 'datetime', precision: 3, isNullable: true },
        { name: 'outcome', type: 'varchar', length: '10', isNullable: true },
        { name: 'error', type: 'varchar', length: '100', isNullable: true },
      ],
      indices: [{ columnNames: ['push_id'] }],
      foreignKeys: [foreignKey('push_id', 'pushes', 'CASCADE')],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('link_mails');
  }
}

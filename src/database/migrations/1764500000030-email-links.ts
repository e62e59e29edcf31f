import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed
/** SQLite compares byte by byte anyway, and does not know these names. */
const EXACT = { charset: 'utf8mb4', collation: 'utf8mb4_bin' };

export class EmailLinks1764500000030 implements MigrationInterface {
  name = 'EmailLinks1764500000030';

  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.driver.options.type === 'better-sqlite3';
    const table = new Table({
      name: 'email_links',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'email', type: 'varchar', length: '254', ...(isSqlite ? {} : EXACT) },
        { name: 'user_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'digest', type: 'varchar', length: '64' },
        { name: 'ends_at', type: 'datetime', precision: 3 },
      ],
      indices: [
        { columnNames: ['email'] },
        { columnNames: ['user_id'] },
        { columnNames: ['digest'], isUnique: true },
        { columnNames: ['ends_at'] },
      ],
      foreignKeys: [foreignKey('user_id', 'users', 'CASCADE')],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('email_links');
  }
}

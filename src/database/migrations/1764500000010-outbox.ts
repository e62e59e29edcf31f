import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class Outbox1764500000010 implements MigrationInterface {
  name = 'Outbox1764500000010';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'outbox_messages',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'channel', type: 'varchar', length: '20' },
        { name: 'destination', type: 'varchar', length: '64' },
        { name: 'kind', type: 'varchar', length: '40' },
        { name: 'user_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'master_key_id', type: 'varchar', length: '16', isNullable: true },
        { name: 'sealed', type: 'blob', isNullable: true },
        { name: 'created_at', type: 'datetime', precision: 3 },
        {
          name: 'attempts',
          type: runner.dataSource.driver.options.type === 'better-sqlite3' ? 'integer' : 'int',
        },
        { name: 'next_attempt_at', type: 'datetime', precision: 3, isNullable: true },
        { name: 'ended_at', type: 'datetime', precision: 3, isNullable: true },
        { name: 'outcome', type: 'varchar', length: '10', isNullable: true },
        { name: 'error', type: 'varchar', length: '100', isNullable: true },
      ],
      indices: [
        { name: 'outbox_messages_due', columnNames: ['next_attempt_at', 'destination'] },
        { columnNames: ['destination', 'next_attempt_at'] },
        { name: 'outbox_messages_of_destination', columnNames: ['destination', 'id'] },
        { columnNames: ['outcome', 'ended_at'] },
        { columnNames: ['user_id'] },
        { columnNames: ['master_key_id'] },
      ],
      foreignKeys: [
        foreignKey('user_id', 'users', 'CASCADE'),
        foreignKey('master_key_id', 'master_keys', 'NO ACTION'),
      ],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('outbox_messages');
  }
}

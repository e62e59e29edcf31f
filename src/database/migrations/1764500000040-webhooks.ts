import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class Webhooks1764500000040 implements MigrationInterface {
  name = 'Webhooks1764500000040';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'webhooks',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'user_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'master_key_id', type: 'varchar', length: '16' },
        { name: 'sealed', type: 'blob' },
        { name: 'events', type: 'varchar', length: '200' },
        { name: 'created_at', type: 'datetime', precision: 3 },
        { name: 'failing_since', type: 'datetime', precision: 3, isNullable: true },
        { name: 'disabled_at', type: 'datetime', precision: 3, isNullable: true },
      ],
      indices: [{ columnNames: ['user_id', 'id'] }, { columnNames: ['master_key_id', 'id'] }],
      foreignKeys: [
        foreignKey('user_id', 'users', 'CASCADE'),
        foreignKey('master_key_id', 'master_keys', 'NO ACTION'),
      ],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
    await createCounter(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('webhook_changes');
    await runner.dropTable('webhooks');
  }
}

async function createCounter(runner: QueryRunner): Promise<void> {
  const table = new Table({
    name: 'webhook_changes',
    columns: [
      { name: 'id', type: 'varchar', length: '36', isPrimary: true },
      {
        name: 'changes',
        type: runner.dataSource.driver.options.type === 'better-sqlite3' ? 'integer' : 'int',
      },
    ],
  });
  await runner.createTable(table, IF_NOT_EXISTS);
  const rows = (await runner.query('SELECT id FROM webhook_changes')) as unknown[];
  if (rows.length === 0)
    await runner.query(`INSERT INTO webhook_changes (id, changes) VALUES ('webhooks', 0)`);
}

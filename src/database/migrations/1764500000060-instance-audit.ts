import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class InstanceAudit1764500000060 implements MigrationInterface {
  name = 'InstanceAudit1764500000060';

  async up(runner: QueryRunner): Promise<void> {
    await createEntries(runner);
    await createSettings(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('settings_in_force');
    await runner.dropTable('instance_audit_entries');
  }
}

async function createEntries(runner: QueryRunner): Promise<void> {
  const boolean = runner.dataSource.driver.normalizeType({ type: 'boolean' });
  const table = new Table({
    name: 'instance_audit_entries',
    columns: [
      { name: 'id', type: 'varchar', length: '36', isPrimary: true },
      { name: 'created_at', type: 'datetime', precision: 3 },
      { name: 'kind', type: 'varchar', length: '30' },
      { name: 'actor_type', type: 'varchar', length: '10' },
      { name: 'actor_id', type: 'varchar', length: '36', isNullable: true },
      { name: 'actor', type: 'varchar', length: '254' },
      { name: 'subject_id', type: 'varchar', length: '36', isNullable: true },
      { name: 'subject', type: 'varchar', length: '254' },
      { name: 'ip', type: 'varchar', length: '45' },
      { name: 'user_agent', type: 'varchar', length: '255' },
      { name: 'details', type: 'text' },
      { name: 'is_logged', type: boolean },
    ],
    indices: [
      { columnNames: ['kind', 'id'] },
      { name: 'instance_audit_entries_of_subject', columnNames: ['subject_id', 'kind', 'id'] },
      { columnNames: ['is_logged', 'id'] },
    ],
  });
  await runner.createTable(table, IF_NOT_EXISTS);
}

async function createSettings(runner: QueryRunner): Promise<void> {
  const table = new Table({
    name: 'settings_in_force',
    columns: [
      { name: 'id', type: 'varchar', length: '36', isPrimary: true },
      { name: 'shown', type: 'text' },
    ],
  });
  await runner.createTable(table, IF_NOT_EXISTS);
  const rows = (await runner.query('SELECT id FROM settings_in_force')) as unknown[];
  if (rows.length === 0)
    await runner.query(`INSERT INTO settings_in_force (id, shown) VALUES ('settings', '{}')`);
}

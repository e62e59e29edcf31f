import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

/** Adds which accounts are administrators, when each was last used, and what all administrators share. */
export class Administrators1764400000000 implements MigrationInterface {
  name = 'Administrators1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner);
    const administration = new Table({
      name: 'administration',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'changes', type: 'integer' },
        { name: 'setup_key_id', type: 'varchar', length: '16', isNullable: true },
        { name: 'setup_code', type: 'blob', isNullable: true },
      ],
    });
    await runner.createTable(administration, IF_NOT_EXISTS);
    const rows = (await runner.query('SELECT id FROM administration')) as unknown[];
    if (rows.length === 0)
      await runner.query(`INSERT INTO administration (id, changes) VALUES ('administration', 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('administration');
    await runner.dropIndex('users', indexName(runner));
    await runner.query('ALTER TABLE users DROP COLUMN last_used_at');
    await runner.query('ALTER TABLE users DROP COLUMN administrator');
  }
}

/** addColumn() and createIndex() copy the table on SQLite. */
async function addColumns(runner: QueryRunner): Promise<void> {
  const boolean = runner.dataSource.driver.normalizeType({ type: 'boolean' });
  if (!(await runner.hasColumn('users', 'administrator')))
    await runner.query(`ALTER TABLE users ADD COLUMN administrator ${boolean} NOT NULL DEFAULT 0`);
  if (!(await runner.hasColumn('users', 'last_used_at')))
    await runner.query('ALTER TABLE users ADD COLUMN last_used_at datetime(3)');
  const users = await runner.getTable('users');
  const name = indexName(runner);
  if (!users?.indices.some((index) => index.name === name))
    await runner.query(`CREATE INDEX ${name} ON users (administrator)`);
}

function indexName(runner: QueryRunner): string {
  return runner.dataSource.namingStrategy.indexName('users', ['administrator']);
}

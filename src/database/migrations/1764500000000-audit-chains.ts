import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';
import { foreignKey } from './foreign-key.js';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

const OF_OWNER = 'audit_entries_of_owner';

const COLUMNS = ['owner_id varchar(36)', 'number bigint', 'digest varchar(64)'];

/**
 * Adds the chains of audit entries. Existing entries are not changed here, which would take long: the service chains
 * them in the background.
 */
export class AuditChains1764500000000 implements MigrationInterface {
  name = 'AuditChains1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner);
    await runner.createTable(heads(runner), IF_NOT_EXISTS);
    await runner.createTable(sequences(), IF_NOT_EXISTS);
    const rows = (await runner.query('SELECT id FROM audit_sequences')) as unknown[];
    if (rows.length === 0) await runner.query(`INSERT INTO audit_sequences (id, last) VALUES ('chain', 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audit_sequences');
    await runner.dropTable('audit_heads');
    await runner.dropIndex('audit_entries', OF_OWNER);
    for (const column of COLUMNS)
      await runner.query(`ALTER TABLE audit_entries DROP COLUMN ${column.split(' ')[0]}`);
  }
}

/** addColumn() and createIndex() copy the table on SQLite. */
async function addColumns(runner: QueryRunner): Promise<void> {
  const entries = await runner.getTable('audit_entries');
  for (const column of COLUMNS) {
    if (!entries?.columns.some(({ name }) => column.startsWith(`${name} `)))
      await runner.query(`ALTER TABLE audit_entries ADD COLUMN ${column}`);
  }
  if (!entries?.indices.some(({ name }) => name === OF_OWNER))
    await runner.query(`CREATE INDEX ${OF_OWNER} ON audit_entries (owner_id, number, id)`);
}

function heads({ dataSource }: QueryRunner): Table {
  return new Table({
    name: 'audit_heads',
    columns: [
      { name: 'push_id', type: 'varchar', length: '36', isPrimary: true },
      { name: 'entries', type: 'integer' },
      { name: 'digest', type: 'varchar', length: '64' },
      { name: 'removing', type: dataSource.driver.normalizeType({ type: 'boolean' }), default: '0' },
    ],
    foreignKeys: [foreignKey('push_id', 'pushes', 'CASCADE')],
  });
}

function sequences(): Table {
  return new Table({
    name: 'audit_sequences',
    columns: [
      { name: 'id', type: 'varchar', length: '36', isPrimary: true },
      { name: 'last', type: 'bigint' },
    ],
  });
}

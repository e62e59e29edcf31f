import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class IdempotencyKeys1763900000000 implements MigrationInterface {
  name = 'IdempotencyKeys1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'idempotency_keys',
      columns: [
        { name: 'digest', type: 'varchar', length: '64', isPrimary: true },
        { name: 'push_id', type: 'varchar', length: '36' },
        { name: 'created_at', type: 'datetime', precision: 3 },
      ],
      indices: [{ columnNames: ['push_id'] }, { columnNames: ['created_at'] }],
      foreignKeys: [
        {
          columnNames: ['push_id'],
          referencedTableName: 'pushes',
          referencedColumnNames: ['id'],
          onDelete: 'CASCADE',
          onUpdate: 'NO ACTION',
        },
      ],
    });
    await runner.createTable(table, IF_NOT_EXISTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('idempotency_keys');
  }
}

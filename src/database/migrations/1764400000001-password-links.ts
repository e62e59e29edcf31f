import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class PasswordLinks1764400000001 implements MigrationInterface {
  name = 'PasswordLinks1764400000001';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'password_links',
      columns: [
        { name: 'user_id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'digest', type: 'varchar', length: '64' },
        { name: 'ends_at', type: 'datetime', precision: 3 },
      ],
      indices: [{ columnNames: ['digest'], isUnique: true }, { columnNames: ['ends_at'] }],
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
    await runner.dropTable('password_links');
  }
}

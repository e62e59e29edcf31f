import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Table } from 'typeorm';

const IF_NOT_EXISTS = true; // a server does not roll back a table that it created before a start was killed

export class KnownNetworks1764500000054 implements MigrationInterface {
  name = 'KnownNetworks1764500000054';

  async up(runner: QueryRunner): Promise<void> {
    const table = new Table({
      name: 'known_networks',
      columns: [
        { name: 'id', type: 'varchar', length: '64', isPrimary: true },
        { name: 'user_id', type: 'varchar', length: '36' },
        { name: 'network', type: 'varchar', length: '45' },
        { name: 'seen_at', type: 'datetime', precision: 3 },
      ],
      indices: [
        { columnNames: ['user_id'] },
        { columnNames: ['network', 'seen_at'] },
        { columnNames: ['seen_at'] },
      ],
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
    await runner.dropTable('known_networks');
  }
}

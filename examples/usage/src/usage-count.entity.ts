import { IdColumn } from 'sealpush';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Column, Entity } from 'typeorm';

/** How many pushes an account has created. */
@Entity('usage_counts')
export class UsageCount {
  @IdColumn()
  userId: string;

  @Column('integer')
  pushes: number;
}

export class Usage_Counts1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE usage_counts (user_id varchar(36) NOT NULL PRIMARY KEY, pushes integer NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_counts');
  }
}

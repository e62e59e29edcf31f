import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the messages of a channel that wait or have failed, however many others there are. */
export class OutboxChannels1764500000070 implements MigrationInterface {
  name = 'OutboxChannels1764500000070';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('outbox_messages');
    if (table?.indices.some(({ name }) => name === indexName(runner))) return; // a server does not roll it back
    await runner.query(`CREATE INDEX ${indexName(runner)} ON outbox_messages (channel, outcome, ended_at)`); // createIndex() copies the table on SQLite
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('outbox_messages', indexName(runner));
  }
}

function indexName(runner: QueryRunner): string {
  return runner.dataSource.namingStrategy.indexName('outbox_messages', ['channel', 'outcome', 'ended_at']);
}

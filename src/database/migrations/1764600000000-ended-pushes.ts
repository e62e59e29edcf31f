import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds whether a push has ended, so that an index has those that have, and those that have not, in the order of lists. */
export class EndedPushes1764600000000 implements MigrationInterface {
  name = 'EndedPushes1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    const boolean = runner.dataSource.driver.normalizeType({ type: 'boolean' });
    // a server does not roll back what it did before a start was killed; addColumn() and createIndex() copy the table on SQLite
    if (!(await runner.hasColumn('pushes', 'ended')))
      await runner.query(`ALTER TABLE pushes ADD COLUMN ended ${boolean} NOT NULL DEFAULT 0`);
    await runner.query('UPDATE pushes SET ended = 1 WHERE expired_on IS NOT NULL AND ended = 0');
    await replaceIndexes(runner, OLD_INDEXES, INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, INDEXES, OLD_INDEXES);
    await runner.query('ALTER TABLE pushes DROP COLUMN ended');
  }
}

/** The columns of each index, by its name. */
type Indexes = Record<string, string>;

const OLD_INDEXES: Indexes = {
  pushes_of_owner: 'user_id, id, expired_on, expires_at',
};

const INDEXES: Indexes = {
  pushes_of_owner_by_id: 'user_id, id',
  pushes_of_owner_in_list: 'user_id, ended, id, expires_at',
  pushes_of_owner_by_limit: 'user_id, ended, expires_at',
};

async function replaceIndexes(runner: QueryRunner, old: Indexes, wanted: Indexes): Promise<void> {
  const owned = runner.dataSource.options.type === 'better-sqlite3' ? ' WHERE user_id IS NOT NULL' : '';
  const existing = new Set((await runner.getTable('pushes'))?.indices.map(({ name }) => name));
  for (const [name, columns] of Object.entries(wanted))
    if (!existing.has(name)) await runner.query(`CREATE INDEX ${name} ON pushes (${columns})${owned}`);
  for (const name of Object.keys(old)) if (existing.has(name)) await runner.dropIndex('pushes', name);
}

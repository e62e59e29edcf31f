import type { MigrationInterface, QueryRunner } from 'typeorm';

const OF_LINK = 'audit_entries_of_link';

/** On SQLite, which has partial indexes, excludes entries without a link from the index of links. */
export class AuditLinkIndex1764000300000 implements MigrationInterface {
  name = 'AuditLinkIndex1764000300000';

  async up(runner: QueryRunner): Promise<void> {
    if (isSqlite(runner)) {
      await runner.query(`DROP INDEX ${oldNameOfLink(runner)}`);
      await runner.query(
        `CREATE UNIQUE INDEX ${OF_LINK} ON audit_entries (link_id) WHERE link_id IS NOT NULL`,
      );
    } else {
      // a server does not roll back an index that it renamed before a start was killed
      const table = await runner.getTable('audit_entries');
      if (!table?.indices.some(({ name }) => name === OF_LINK))
        await runner.query(`ALTER TABLE audit_entries RENAME INDEX ${oldNameOfLink(runner)} TO ${OF_LINK}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    if (isSqlite(runner)) {
      await runner.query(`DROP INDEX ${OF_LINK}`);
      await runner.query(`CREATE UNIQUE INDEX ${oldNameOfLink(runner)} ON audit_entries (link_id)`);
    } else {
      await runner.query(`ALTER TABLE audit_entries RENAME INDEX ${OF_LINK} TO ${oldNameOfLink(runner)}`);
    }
  }
}

function isSqlite(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === 'better-sqlite3';
}

function oldNameOfLink(runner: QueryRunner): string {
  return runner.dataSource.namingStrategy.indexName('audit_entries', ['link_id']);
}

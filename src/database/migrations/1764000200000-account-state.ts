import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds how an account was created and whether it is disabled, and compares email addresses byte by byte. */
export class AccountState1764000200000 implements MigrationInterface {
  name = 'AccountState1764000200000';

  async up(runner: QueryRunner): Promise<void> {
    const { driver, options } = runner.dataSource;
    const boolean = driver.normalizeType({ type: 'boolean' });
    // a server does not roll back columns that it added before a start was killed
    if (!(await runner.hasColumn('users', 'disabled_at')))
      await runner.query('ALTER TABLE users ADD COLUMN disabled_at datetime(3)'); // addColumn() copies the table on SQLite
    if (!(await runner.hasColumn('users', 'signed_up')))
      await runner.query(`ALTER TABLE users ADD COLUMN signed_up ${boolean} NOT NULL DEFAULT 0`);
    // how existing accounts were created was not recorded; those that signed up have a password
    await runner.query('UPDATE users SET signed_up = 1 WHERE password_hash IS NOT NULL');
    if (options.type !== 'better-sqlite3')
      await runner.query(
        'ALTER TABLE users MODIFY email varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
      );
    await normalizeEmails(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.dataSource.options.type !== 'better-sqlite3')
      await runner.query('ALTER TABLE users MODIFY email varchar(254) NOT NULL');
    await runner.query('ALTER TABLE users DROP COLUMN signed_up');
    await runner.query('ALTER TABLE users DROP COLUMN disabled_at');
  }
}

/** Addresses were in lower case, in any Unicode form. One whose normal form is taken stays as it is. */
async function normalizeEmails(runner: QueryRunner): Promise<void> {
  const users = (await runner.query('SELECT id, email FROM users')) as { id: string; email: string }[];
  const taken = new Set(users.map(({ email }) => email));
  for (const { id, email } of users) {
    const normal = email.normalize('NFKC').toLowerCase().normalize('NFKC');
    if (taken.has(normal)) continue;
    taken.add(normal);
    await runner.query('UPDATE users SET email = ? WHERE id = ?', [normal, id]);
  }
}

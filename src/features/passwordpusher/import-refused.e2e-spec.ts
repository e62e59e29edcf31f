import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { command } from '../../../test/support/command.js';
import { onConnection } from '../../../test/support/databases.js';
import { engine } from '../../../test/support/engine.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import type { Instance } from '../../../test/support/instance.js';
import { makeInstance, makeNewInstance, makeSqliteInstance } from '../../../test/support/instance.js';
import { queryBeside, tableNamesOf } from '../../../test/support/other-connection.js';
import { onDatabase } from '../../../test/support/server-database.js';
import type { PasswordPusher, SourceName } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher, SOURCES } from '../../../test/support/passwordpusher.js';
import type { Run } from '../../../test/support/run.js';

/** Defines a test if there is such a server; without one, a line at the beginning of the run says so. */
const whereThereIs =
  (name: SourceName) =>
  (title: string, test: () => Promise<void>): void => {
    if (SOURCES.includes(name)) it(title, test);
  };

describe('An import from PasswordPusher', () => {
  const source = forEachTest(makePasswordPusher);
  const instance = forEachTest(makeInstance);

  const argsWithout = (name: string) => {
    const at = source.args.indexOf(name);
    return source.args.toSpliced(at, 2);
  };
  const refused = async (run: Promise<Run>, sentence: string | RegExp) => {
    const { code, stdout, stderr } = await run;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await queryBeside(instance, 'SELECT COUNT(*) AS count FROM users')).toEqual([{ count: 0 }]);
  };

  it('is refused with a wrong key, which says how many pushes it does not open', async () => {
    const wrong = join(source.folder, 'wrong');
    await writeFile(wrong, 'ab'.repeat(32));
    const args = [...argsWithout('--master-key-file'), '--master-key-file', wrong].filter(
      (arg) => !arg.startsWith('--previous') && !arg.endsWith('previous'),
    );

    await refused(
      command(instance, args),
      'The master key is wrong: it opens none of the 314 pushes that have not expired.',
    );
  });

  it('warns when no key is given, and uses the one that PasswordPusher has then', async () => {
    const args = argsWithout('--master-key-file').filter(
      (arg) => !arg.startsWith('--previous') && !arg.endsWith('previous'),
    );
    const { code, stderr } = await command(instance, args);

    expect(code).toBe(1);
    expect(stderr).toContain(
      'No master key is given, so the one is used that PasswordPusher has when none is set.',
    );
    expect(stderr).toContain('The master key is wrong');
  });

  it('is refused with a key that is none, without showing it', async () => {
    await writeFile(join(source.folder, 'key'), 'geheim-geheim');
    const { code, stderr } = await command(instance, source.args);
    const given = await command(instance, [
      ...argsWithout('--master-key-file'),
      '--master-key',
      'geheim-geheim',
    ]);

    for (const text of [stderr, given.stderr])
      expect(text).toBe('sealpush: A master key of PasswordPusher has 64 hexadecimal digits.\n');
    expect([code, given.code]).toEqual([1, 1]);
  });

  it.each([
    [
      'a column that came later',
      'ALTER TABLE users DROP COLUMN otp_secret_ciphertext',
      'users.otp_secret_ciphertext',
    ],
    [
      'the table of pushes',
      'DROP TABLE notify_by_emails; DROP TABLE audit_logs; DROP TABLE pushes',
      'pushes.id',
    ],
  ])('is refused when the schema is older, without %s', async (_, sql, missing) => {
    await source.query(sql);

    await refused(
      command(instance, source.args),
      `The database is of an older PasswordPusher (it has no ${missing}): upgrade PasswordPusher to 2.11 or later first.`,
    );
  });

  it('is refused while an upgrade of its data is not finished', async () => {
    await source.query(
      "INSERT INTO data_migration_statuses (name, completed, created_at, updated_at) VALUES ('x', 0, 'now', 'now')",
    );

    await refused(
      command(instance, source.args),
      'PasswordPusher has not finished the upgrade of its own data',
    );
  });

  it('is refused from a database that is none of PasswordPusher, such as one of ours', async () => {
    const other = await forThisTest(makeSqliteInstance());
    await command(other, ['user:list']);
    const url = `sqlite:${join(other.dataDir, 'sealpush.sqlite3')}`;
    const args = source.args.with(source.args.indexOf('--database') + 1, url);

    await refused(command(instance, args), 'This is not the database of PasswordPusher');
  });

  it.each([
    ['nowhere', 'must look like sqlite:FILE, mysql://user:password@host/database or postgresql://'],
    ['mysql://geheim@', 'must look like mysql://user:password@host:3306/database'],
    ['sqlite:/nowhere/at/all.sqlite3', '/nowhere/at/all.sqlite3 cannot be opened (ENOENT)'],
    ['sqlite:package.json', 'package.json cannot be opened (SQLITE_NOTADB)'],
    ['postgresql://u:geheim@127.0.0.1:1/x', 'The database of PasswordPusher cannot be opened (ECONNREFUSED)'],
    ['mysql://u:geheim@127.0.0.1:1/x', 'The database at 127.0.0.1:1/x cannot be used (ECONNREFUSED)'],
  ])('is refused from %s, in a sentence without a password', async (url, sentence) => {
    const run = await command(instance, source.args.with(source.args.indexOf('--database') + 1, url));

    await refused(Promise.resolve(run), sentence);
    expect(run.stderr).not.toContain('geheim');
    expect(existsSync('/nowhere')).toBe(false);
  });

  it('is refused without the files, or with a folder that is none', async () => {
    await refused(
      command(instance, argsWithout('--storage')),
      'PasswordPusher has files: say where they are',
    );
    for (const [path, why] of [
      [join(source.folder, 'nothing'), 'cannot be read (ENOENT)'],
      [join(source.folder, 'key'), 'is not a folder'],
    ] as const)
      await refused(command(instance, [...argsWithout('--storage'), '--storage', path]), `${path} ${why}`);
  });

  it.each(SOURCES)('is refused while PasswordPusher is connected to its database (%s)', async (name) => {
    const used = await forThisTest(makePasswordPusher(name));
    const disconnect = await connectTo(used);
    const run = await command(instance, used.args);
    const dry = await command(instance, [...used.args, '--dry-run']);
    await disconnect();

    await refused(
      Promise.resolve(run),
      'PasswordPusher, or another program, still uses the database: stop it first.',
    );
    expect(dry.stdout).toContain('"dry_run":true');
  });

  it('is refused while the jobs of PasswordPusher report that they run', async () => {
    await source.query(
      "INSERT INTO solid_queue_processes (name, pid, kind, created_at, last_heartbeat_at) VALUES ('w', 1, 'Worker', datetime('now'), datetime('now', '-50 seconds'))",
    );
    await refused(command(instance, source.args), 'still uses the database');

    await source.query("UPDATE solid_queue_processes SET last_heartbeat_at = datetime('now', '-10 minutes')");
    expect((await command(instance, source.args)).stdout).toContain('"active":311');
  });

  it('is refused with options that contradict each other or are none (2)', async () => {
    for (const more of [
      ['--master-key', '0'],
      ['--s3-bucket', 'x'],
      ['--link-days', '0'],
      ['--link-days', 'x'],
      ['x'],
    ])
      expect((await command(instance, [...source.args, ...more])).code).toBe(2);
    expect((await command(instance, ['import:passwordpusher'])).code).toBe(2);
  });

  it('that is only tried writes nothing, and reports the same', async () => {
    await command(instance, source.args);
    await source.query("UPDATE pushes SET url_token = 'new-token-1' WHERE id = 1");
    const before = await digests(instance);
    const dry = await command(instance, [...source.args, '--dry-run']);
    expect(await digests(instance)).toEqual(before);
    const real = await command(instance, source.args);

    const totals = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(totals(dry.stdout)).toEqual({ dry_run: true, ...totals(real.stdout) });
    expect(totals(dry.stdout)).toMatchObject({
      pushes: { active: 1, already: 314 },
      accounts: { already: 4 },
    });
  });

  it('that is only tried does not even create the database', async () => {
    const fresh = await forThisTest(makeNewInstance());
    const { stdout } = await command(fresh, [...source.args, '--dry-run']);

    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      accounts: { new: 4 },
      pushes: { active: 311, ended: 3, deleted: 1 },
      files: 4,
    });
    expect(await readdir(fresh.dataDir)).toEqual([]);
    if (engine.url !== undefined) expect(await tableNamesOf(fresh)).toEqual([]);
    await rm(fresh.dataDir, { recursive: true });
    await command(fresh, [...source.args, '--dry-run']);
    expect(existsSync(fresh.dataDir)).toBe(false);
  });

  it('leaves the database and the files of PasswordPusher as they were', async () => {
    const before = await digestsIn(source.folder);
    const { stdout } = await command(instance, source.args);

    expect(stdout).toContain('"active":311');
    expect(await digestsIn(source.folder)).toEqual(before);
  });

  it('reads what a killed PasswordPusher has left in the log of SQLite, and only tried leaves it there', async () => {
    await source.query('PRAGMA journal_mode = WAL');
    const path = source.url.slice('sqlite:'.length);
    const killed = `require('better-sqlite3')('${path}').exec("UPDATE pushes SET name = 'later'"); process.kill(process.pid, 9)`;
    expect(spawnSync(process.execPath, ['-e', killed]).signal).toBe('SIGKILL');
    const ofFiles = async () => {
      const { [`${path}-shm`]: _locks, ...digests } = await digestsIn(source.folder);
      return digests;
    };
    const before = await ofFiles();
    expect(Object.keys(before)).toContain(`${path}-wal`);
    expect((await command(instance, [...source.args, '--dry-run'])).stdout).toContain('"active":311');
    expect(await ofFiles()).toEqual(before);

    await command(instance, source.args);
    const [{ names }] = await queryBeside(instance, 'SELECT COUNT(name) AS names FROM pushes');
    expect(Number(names)).toBeGreaterThan(200);
  });

  it('tries what PasswordPusher uses without locking it', async () => {
    await source.query('PRAGMA journal_mode = WAL');
    const disconnect = await connectTo(source);
    const writes = setInterval(() => void source.query("UPDATE pushes SET name = 'x' WHERE id = 1"), 50);
    const { stdout } = await command(instance, [...source.args, '--dry-run']);
    clearInterval(writes);
    await source.query("UPDATE pushes SET name = 'y' WHERE id = 1");
    await disconnect();

    expect(stdout).toContain('"dry_run":true');
  });

  whereThereIs('postgresql')(
    'is refused while a user that it cannot see into is connected (PostgreSQL)',
    async () => {
      const used = await forThisTest(makePasswordPusher('postgresql'));
      const reader = `reader_${Date.now()}`;
      await used.query(
        `CREATE ROLE ${reader} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`,
      );
      const disconnect = await connectTo(used);
      const args = used.args.with(
        used.args.indexOf('--database') + 1,
        used.url.replace('//postgres@', `//${reader}@`),
      );
      const run = await command(instance, args);
      await disconnect();
      const later = await command(instance, args);
      await used.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);

      expect(run.stderr).toContain('still uses the database');
      expect(later.stdout).toContain('"active":311');
    },
  );

  whereThereIs('mysql')('accepts the parameters that Rails has in addresses of MySQL', async () => {
    const used = await forThisTest(makePasswordPusher('mysql'));
    const url = `${used.url.replace('mysql:', 'mysql2:')}?pool=5&encoding=utf8mb4`;
    const { stdout } = await command(instance, used.args.with(used.args.indexOf('--database') + 1, url));

    expect(stdout).toContain('"active":311');
  });

  it('shows no value of an option that it does not know', async () => {
    const { code, stderr } = await command(instance, [...source.args, '--masterkey=geheim']);

    expect([code, stderr]).toEqual([2, expect.not.stringContaining('geheim')]);
  });
});

/** As a program that is idle. Rails has SQLite write a log beside the file. */
async function connectTo(source: PasswordPusher): Promise<() => Promise<unknown>> {
  const { url } = source;
  if (url.startsWith('sqlite:')) {
    await source.query('PRAGMA journal_mode = WAL');
    const file = new Database(url.slice('sqlite:'.length));
    file.prepare('SELECT COUNT(*) FROM users').get();
    return () => Promise.resolve(file.close());
  }
  if (url.startsWith('mysql:')) {
    let disconnect!: () => void;
    const isOver = new Promise<void>((resolve) => (disconnect = resolve));
    let connected!: () => void;
    const isConnected = new Promise<void>((resolve) => (connected = resolve));
    const connection = onConnection(url, async () => {
      connected();
      await isOver;
    });
    await isConnected;
    return () => {
      disconnect();
      return connection;
    };
  }
  const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
  return () => dataSource.destroy();
}

/** Of all files of an instance, and of the rows of its database on a server. */
async function digests({ dataDir, env }: Instance): Promise<Record<string, string>> {
  const files = await digestsIn(dataDir);
  if (env.DATABASE_URL === undefined) return files;
  const checksumOf = (table: string) =>
    engine.name === 'postgres'
      ? `SELECT md5(string_agg(each::text, '' ORDER BY each::text)) FROM ${table} AS each`
      : `CHECKSUM TABLE ${table}`;
  const rows = await onDatabase(env.DATABASE_URL, (database) =>
    Promise.all(
      [
        'users',
        'api_tokens',
        'authenticators',
        'pushes',
        'audit_entries',
        'files',
        'imported_pushes',
        'instance_audit_entries',
      ].map((table) => database.query(checksumOf(table))),
    ),
  );
  return { ...files, rows: JSON.stringify(rows) };
}

async function digestsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const digest = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  return Object.fromEntries(await Promise.all(paths.sort().map(async (path) => [path, await digest(path)])));
}

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { parse } from 'yaml';
import { blockOf } from '../../../test/support/documents.js';
import { engine } from '../../../test/support/engine.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import type { StartedService } from '../../../test/support/operator-shell.js';
import { OperatorShell } from '../../../test/support/operator-shell.js';
import { PostgresServer } from '../../../test/support/postgres-server.js';
import { run } from '../../../test/support/run.js';
import { onDatabase } from '../../../test/support/server-database.js';

const BACKUP = 'docs/operating/backup.md';
const DATABASES = 'docs/operating/databases.md';
const MOVE = 'docs/operating/move-database.md';
const COMPOSE = 'docs/install/compose.md';
const FILE = 'a very secret file, with tulips in it';
const SECRETS = { payload: 'tulips at noon', passphrase: 'correct horse', name: 'spring', note: 'for Ada' };
const ENV = { FILES_REQUIRE_AUTHENTICATION: 'false', REQUESTS_PER_MINUTE: '0' };

/** The MySQL that CI installs because Debian has none: see .ci/mysql. */
const MYSQL_TREE = join(process.env.SEALPUSH_MYSQL_ROOT ?? '/var/lib/sealpush-mysql', 'tree');

interface Pushes {
  seenOnce: string;
  deleted: string;
  withFile: string;
}

describe('The commands in docs/operating', () => {
  const root = forEachTest(makeFolder);

  const shellIn = (name: string, env: Record<string, string> = {}, programs: Record<string, string> = {}) =>
    OperatorShell.in(join(root.path, name), { ...ENV, ...env }, programs);

  async function pushAll({ anonymous }: StartedService): Promise<Pushes> {
    const seenOnce = await anonymous.push({ ...SECRETS, expire_after_views: 2 });
    await anonymous.retrieve(seenOnce.url_token, SECRETS.passphrase);
    const deleted = await anonymous.push({ payload: SECRETS.payload, deletable_by_viewer: true });
    await anonymous.delete(`/api/v2/pushes/${deleted.url_token}`);
    const files = [{ filename: 'tulips.txt', content: Buffer.from(FILE).toString('base64') }];
    const withFile = await anonymous.push({ files });
    return {
      seenOnce: seenOnce.url_token,
      deleted: deleted.url_token,
      withFile: withFile.url_token,
    };
  }

  /** Views that were used up stay used up, and everything else is available. */
  async function expectAllAsItWas({ anonymous }: StartedService, pushes: Pushes): Promise<void> {
    const last = await anonymous.retrieve(pushes.seenOnce, SECRETS.passphrase);
    const none = await anonymous.retrieve(pushes.seenOnce, SECRETS.passphrase);
    const deleted = await anonymous.retrieve(pushes.deleted);
    const { body } = await anonymous.retrieve(pushes.withFile);

    expect(last.body).toMatchObject({ payload: SECRETS.payload, views_remaining: 0 });
    expect(none.body).toMatchObject({ payload: null, expired: true });
    expect(deleted.body).toMatchObject({ payload: null, expired: true, deleted: true });
    expect((await anonymous.get(new URL(body.files[0].url).pathname)).body).toBe(FILE);
  }

  /** Stolen files reveal no content, and no server can start with them without the key. */
  async function expectNothingOpens(
    stolen: string[],
    pushes: Pushes,
    instance: { env: Record<string, string> },
  ): Promise<void> {
    for (const path of stolen) {
      const bytes = await readFile(path);
      for (const secret of [...Object.values(SECRETS), FILE, 'tulips.txt', ...Object.values(pushes)]) {
        for (const encoding of ['utf8', 'base64', 'hex'] as const) {
          const written = Buffer.from(secret).toString(encoding).replace(/=+$/, '');
          expect(bytes.includes(written) || bytes.includes(written.toUpperCase())).toBe(false);
        }
      }
    }
    for (const MASTER_KEYS of [undefined, randomBytes(32).toString('base64')]) {
      expect(await run('main.js', instance, { env: MASTER_KEYS ? { MASTER_KEYS } : {} })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^sealpush: The database holds what was sealed with master key /),
      });
    }
  }

  const filesBelow = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  if (engine.name === 'sqlite') {
    it('back up SQLite and restore it, with its files (K5)', async () => {
      const before = await shellIn('before');
      const first = await forThisTest(before.start('npm start'));
      const pushes = await pushAll(first);
      const backup = join(root.path, 'copy');
      await before.run(`npm run -s cli -- backup ${backup}`);
      await first.stop();
      const after = await shellIn('after');
      const restore = blockOf(BACKUP, 'sh', 'Back up and restore', 'mkdir -m 700 data\ncp FILE data')
        .replace(/\bFILE\b/g, backup)
        .replace('THE_KEYS_COPY', join(before.folder, 'data/master.key'));
      const service = await forThisTest(after.start(restore));

      await expectAllAsItWas(service, pushes);
    });
  } else if (engine.name === 'postgres') {
    const server = new URL(engine.url ?? '');
    let name: string;
    let password: string;

    beforeEach(() => {
      name = `sealpush_test_${randomBytes(6).toString('hex')}`;
      password = randomBytes(12).toString('hex');
    });
    afterEach(() =>
      onPostgres(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP USER IF EXISTS ${name}`),
    );

    /** A script of the document, adapted to this server and to a separate database and account. */
    const adapted = (script: string) =>
      script
        .split('\n')
        .filter((line) => !/# (MySQL|MariaDB|MySQL, MariaDB)$/.test(line))
        .join('\n')
        .replaceAll('db.example.org:5432', server.host)
        .replaceAll('-h db.example.org', `-h ${server.hostname} -p ${server.port}`)
        .replace(/PASSWORD(?! ')|a long random password/g, password)
        .replace(/\bsealpush\b(?!\.(?:dump|files))/g, name);

    const [createUser = '', createDatabase = ''] = blockOf(DATABASES, 'sql', 'PostgreSQL', 'CREATE USER')
      .trim()
      .split('\n');
    const makeDatabase = () => onPostgres(adapted(createUser), adapted(createDatabase));

    it('create a database, back it up and restore it, with its files (K5, H2)', async () => {
      await makeDatabase();
      const before = await shellIn('before');
      const first = await forThisTest(
        before.start(adapted(blockOf(DATABASES, 'sh', 'PostgreSQL', 'DATABASE_URL='))),
      );
      const pushes = await pushAll(first);
      await before.run(adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysqldump')));
      const later = await first.anonymous.push({ payload: 'too late' });
      await first.stop();

      await onPostgres(`DROP DATABASE ${name}`, adapted(createDatabase));
      const after = await shellIn('after');
      await after.run(`cp -R ../before/sealpush.dump ../before/sealpush.files .`);
      const restore = adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysql -h'));
      const service = await forThisTest(
        after.start(restore.replace('THE_KEYS_COPY', join(before.folder, 'data/master.key'))),
      );

      await expectAllAsItWas(service, pushes);
      expect((await service.anonymous.retrieve(later.url_token)).status).toBe(404);

      await service.stop();
      const stolen = [
        join(before.folder, 'sealpush.dump'),
        ...(await filesBelow(join(before.folder, 'sealpush.files'))),
      ];
      const thiefDir = join(root.path, 'thief');
      await cp(join(before.folder, 'sealpush.files'), join(thiefDir, 'files'), { recursive: true });
      expect(stolen).toHaveLength(3); // with the id of the installation
      await expectNothingOpens(stolen, pushes, {
        env: {
          DATA_DIR: thiefDir,
          DATABASE_URL: `postgresql://${name}:${password}@${server.host}/${name}`,
        },
      });
    });

    it.each([
      ['that the page makes', undefined],
      ['of any characters, percent-encoded', 'p@ss:w/o?r#d[]%41 &=+;"\\$`é🌷'],
    ])(
      'create secrets for postgres.yml with which the server starts, with a password %s',
      async (_, other) => {
        const shell = await shellIn('project', {}, { docker: 'echo "$@"' }); // no container engine is available
        await mkdir(join(shell.folder, 'deploy/compose'), { recursive: true });
        await shell.run(blockOf(COMPOSE, 'sh', 'PostgreSQL', 'docker build'));
        const { app, postgres } = parse(await readFile('deploy/compose/postgres.yml', 'utf8')).services;
        const secrets = join(shell.folder, 'deploy/compose/secrets');
        const { POSTGRES_USER, POSTGRES_DB } = postgres.environment;
        const made = (await readFile(join(secrets, 'postgres_password'), 'utf8')).trim();
        const database = await forThisTest(PostgresServer.make());
        // like the image, which asks for the password, and makes the user a superuser
        const clients = ['postgres 127.0.0.1/32 trust', 'all 127.0.0.1/32 scram-sha-256'];
        await database.writeFile('pg_hba.conf', clients.map((client) => `host all ${client}\n`).join(''));
        await database.start();
        await database.query(`CREATE USER ${POSTGRES_USER} SUPERUSER PASSWORD '${other ?? made}'`);
        await database.query(`CREATE DATABASE ${POSTGRES_DB} OWNER ${POSTGRES_USER}`);
        const url = (await readFile(join(secrets, 'database_url'), 'utf8'))
          .replace('postgres:5432', `127.0.0.1:${database.port}`)
          .replace(made, encodeURIComponent(other ?? made));
        await writeFile(join(secrets, 'database_url'), url);
        const settings = Object.entries<string>(app.environment as Record<string, string>).map(
          ([setting, file]) => `${setting}=${file.replace('/run/secrets', secrets)}`,
        );
        const service = await forThisTest(shell.start(`${settings.join(' ')} npm start`));

        await expectAllAsItWas(service, await pushAll(service));
        expect((await service.anonymous.get('/ready')).status).toBe(200);
        expect(existsSync(join(shell.folder, 'data/master.key'))).toBe(false);
        const { hostname: HOST, port: PORT } = new URL(service.anonymous.url);
        expect(await run('health-check.js', { env: { HOST, PORT } })).toEqual({
          code: 0,
          stdout: '',
          stderr: '',
        });
        const DATABASE_URL = url.trim().replace(encodeURIComponent(other ?? made), 'wrong');
        expect((await run('main.js', { env: { DATABASE_URL, DATA_DIR: root.path } })).stderr).toMatch(
          / cannot be used \(28P01\)/,
        );
      },
    );
  } else {
    let name: string;
    let password: string;

    beforeEach(() => {
      name = `sealpush_test_${randomBytes(6).toString('hex')}`;
      password = randomBytes(12).toString('hex');
    });
    afterEach(() => onServer(`DROP DATABASE ${name}; DROP USER ${name}`));

    const server = new URL(engine.url ?? '');

    /** A script of the document, adapted to this server and to a separate database and account. */
    const adapted = (script: string) =>
      script
        .split('\n')
        .filter((line) => !line.endsWith('# PostgreSQL'))
        .filter((line) => !line.endsWith(engine.name === 'mysql' ? '# MariaDB' : '# MySQL'))
        .join('\n')
        .replaceAll('db.example.org:3306', server.host)
        .replaceAll('-h db.example.org', `-h ${server.hostname} -P ${server.port}`)
        .replaceAll(' -p sealpush', ` -p${password} sealpush`)
        .replace(/PASSWORD|a long random password/g, password)
        .replace(/\bsealpush\b(?!\.(?:sql|files))/g, name);

    const makeDatabase = () =>
      onServer(adapted(blockOf(DATABASES, 'sql', 'MySQL and MariaDB', 'CREATE DATABASE')));

    /** Debian's `mysql` and `mysqldump` are those of MariaDB. */
    const clientPrograms = (): Record<string, string> =>
      engine.name === 'mysql' && existsSync(MYSQL_TREE) && !isOfMysql()
        ? {
            mysql: `exec chroot '${MYSQL_TREE}' mysql "$@"`,
            mysqldump: `exec chroot '${MYSQL_TREE}' mysqldump "$@"`,
          }
        : {};

    it('move from SQLite to a server', async () => {
      await makeDatabase();
      const shell = await shellIn('moved');
      const first = await forThisTest(shell.start('npm start'));
      const pushes = await pushAll(first);
      await first.stop();
      const service = await forThisTest(
        shell.start(adapted(blockOf(MOVE, 'sh', 'Move to another database', 'npm run'))),
      );

      await expectAllAsItWas(service, pushes);
    });

    it('create a database, back it up and restore it, with its files (K5, H2)', async () => {
      await makeDatabase();
      const before = await shellIn('before', {}, clientPrograms());
      const first = await forThisTest(
        before.start(adapted(blockOf(DATABASES, 'sh', 'MySQL and MariaDB', 'DATABASE_URL='))),
      );
      const pushes = await pushAll(first);
      await before.run(adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysqldump')));
      const later = await first.anonymous.push({ payload: 'too late' });
      await first.stop();

      await onServer(`DROP DATABASE ${name}; CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      const after = await shellIn('after', {}, clientPrograms());
      await after.run(`cp -R ../before/sealpush.sql ../before/sealpush.files .`);
      const restore = adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysql -h'));
      const service = await forThisTest(
        after.start(restore.replace('THE_KEYS_COPY', join(before.folder, 'data/master.key'))),
      );

      await expectAllAsItWas(service, pushes);
      expect((await service.anonymous.retrieve(later.url_token)).status).toBe(404);

      await service.stop();
      const stolen = [
        join(before.folder, 'sealpush.sql'),
        ...(await filesBelow(join(before.folder, 'sealpush.files'))),
      ];
      const thiefDir = join(root.path, 'thief');
      await cp(join(before.folder, 'sealpush.files'), join(thiefDir, 'files'), { recursive: true });
      expect(stolen).toHaveLength(3); // with the id of the installation
      await expectNothingOpens(stolen, pushes, {
        env: { DATA_DIR: thiefDir, DATABASE_URL: `mysql://${name}:${password}@${server.host}/${name}` },
      });
    });

    it('create secrets for docker-compose.yml with which the server starts', async () => {
      await makeDatabase();
      const shell = await shellIn('project', {}, { docker: 'echo "$@"' }); // no container engine is available
      const stdout = await shell.run(blockOf(COMPOSE, 'sh', 'MySQL', 'mkdir -m 700 secrets'));
      const secret = (file: string) => join(shell.folder, 'secrets', file);
      const url = (await readFile(secret('database_url'), 'utf8')).trim();
      const made = (await readFile(secret('mysql_password'), 'utf8')).trim();
      await onServer(`ALTER USER ${name} IDENTIFIED BY '${made}'`);
      const here = url.replace('mysql:3306', server.host).replace(/\bsealpush\b/g, name);
      await shell.run(`echo '${here}' > secrets/database_url`);
      const settings = 'DATABASE_URL_FILE=secrets/database_url MASTER_KEYS_FILE=secrets/master_keys';
      const start = `${settings} npm start`.replaceAll('secrets/', `${shell.folder}/secrets/`);
      const service = await forThisTest(shell.start(start));

      expect(stdout).toBe('compose up -d --wait\n');
      expect(url).toBe(`mysql://sealpush:${made}@mysql:3306/sealpush`);
      expect((await stat(join(shell.folder, 'secrets'))).mode & 0o777).toBe(0o700);
      expect(existsSync(join(shell.folder, 'data/master.key'))).toBe(false);
      expect((await service.anonymous.get('/ready')).status).toBe(200);
    });
  }
});

/** Runs each statement by itself: databases are not made in a transaction. */
async function onPostgres(...statements: string[]): Promise<void> {
  await onDatabase(engine.url ?? '', async (database) => {
    for (const statement of statements) await database.query(statement);
  });
}

async function onServer(statements: string): Promise<void> {
  const connection = await createConnection({ uri: engine.url, multipleStatements: true });
  await connection.query(statements);
  await connection.end();
}

function isOfMysql(): boolean {
  try {
    return !execFileSync('mysqldump', ['--version'], { encoding: 'utf8' }).includes('MariaDB');
  } catch {
    return false;
  }
}

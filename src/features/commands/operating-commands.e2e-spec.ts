import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { blockOf, blocksOf } from '../../../test/support/documents.js';
import { engine } from '../../../test/support/engine.js';
import type { StartedService } from '../../../test/support/operator-shell.js';
import { OperatorShell } from '../../../test/support/operator-shell.js';
import { run } from '../../../test/support/run.js';

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
  let root: string;
  let service: StartedService | undefined;

  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'sealpush-operating-'))));
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await rm(root, { recursive: true });
  });

  const shellIn = (name: string, env: Record<string, string> = {}, programs: Record<string, string> = {}) =>
    OperatorShell.in(join(root, name), { ...ENV, ...env }, programs);

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
      service = await before.start('npm start');
      const pushes = await pushAll(service);
      const backup = join(root, 'copy');
      await before.run(`npm run -s cli -- backup ${backup}`);
      await service.stop();
      const after = await shellIn('after');
      const restore = blockOf(BACKUP, 'sh', 'Back up and restore', 'mkdir -m 700 data\ncp FILE data')
        .replace(/\bFILE\b/g, backup)
        .replace('THE_KEYS_COPY', join(before.folder, 'data/master.key'));
      service = await after.start(restore);

      await expectAllAsItWas(service, pushes);
    });
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
        .filter((line) => !line.endsWith(engine.name === 'mysql' ? '# MariaDB' : '# MySQL'))
        .join('\n')
        .replaceAll('db.example.org:3306', server.host)
        .replaceAll('-h db.example.org', `-h ${server.hostname} -P ${server.port}`)
        .replaceAll(' -p sealpush', ` -p${password} sealpush`)
        .replace(/PASSWORD|a long random password/g, password)
        .replace(/\bsealpush\b(?!\.(?:sql|files))/g, name);

    const makeDatabase = () => onServer(adapted(blocksOf(DATABASES, 'sql').join('')));

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
      service = await shell.start('npm start');
      const pushes = await pushAll(service);
      await service.stop();
      service = await shell.start(adapted(blockOf(MOVE, 'sh', 'Move to another database', 'npm run')));

      await expectAllAsItWas(service, pushes);
    });

    it('create a database, back it up and restore it, with its files (K5, H2)', async () => {
      await makeDatabase();
      const before = await shellIn('before', {}, clientPrograms());
      service = await before.start(adapted(blockOf(DATABASES, 'sh', 'MySQL and MariaDB', 'DATABASE_URL=')));
      const pushes = await pushAll(service);
      await before.run(adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysqldump')));
      const later = await service.anonymous.push({ payload: 'too late' });
      await service.stop();

      await onServer(`DROP DATABASE ${name}; CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      const after = await shellIn('after', {}, clientPrograms());
      await after.run(`cp -R ../before/sealpush.sql ../before/sealpush.files .`);
      const restore = adapted(blockOf(BACKUP, 'sh', 'Back up and restore', 'mysql -h'));
      service = await after.start(restore.replace('THE_KEYS_COPY', join(before.folder, 'data/master.key')));

      await expectAllAsItWas(service, pushes);
      expect((await service.anonymous.retrieve(later.url_token)).status).toBe(404);

      await service.stop();
      service = undefined;
      const stolen = [
        join(before.folder, 'sealpush.sql'),
        ...(await filesBelow(join(before.folder, 'sealpush.files'))),
      ];
      const thiefDir = join(root, 'thief');
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
      service = await shell.start(
        'DATABASE_URL_FILE=secrets/database_url MASTER_KEYS_FILE=secrets/master_keys npm start'.replaceAll(
          'secrets/',
          `${shell.folder}/secrets/`,
        ),
      );

      expect(stdout).toBe('compose up -d --wait\n');
      expect(url).toBe(`mysql://sealpush:${made}@mysql:3306/sealpush`);
      expect((await stat(join(shell.folder, 'secrets'))).mode & 0o777).toBe(0o700);
      expect(existsSync(join(shell.folder, 'data/master.key'))).toBe(false);
      expect((await service.anonymous.get('/ready')).status).toBe(200);
    });
  }
});

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

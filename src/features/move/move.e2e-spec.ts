import { randomBytes } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ImportTarget } from './import-target.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { inSnapshot } from '../../platform/database/snapshot.js';
import { tableNames } from '../../platform/database/tables.js';
import { AuditChainService } from '../../pushes/audit-log/audit-chain.service.js';
import { expectedDigests, linesOf } from '../../../test/support/audit-log.js';
import { CHILD_ENV } from '../../../test/support/child-env.js';
import type { ClientResponse } from '../../../test/support/client.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { engine, otherServers } from '../../../test/support/engine.js';
import { SetupStep } from '../setup/setup-step.entity.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { eventually } from '../../../test/support/eventually.js';
import { exportedLines, writeExport } from '../../../test/support/export-files.js';
import { digest, download, pushFiles } from '../../../test/support/files.js';
import { fillDatabase } from '../../../test/support/fill-database.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import type { Instance } from '../../../test/support/instance.js';
import { makeNewInstance, makeNewInstanceOn, makeSqliteInstance } from '../../../test/support/instance.js';
import { openDatabase } from '../../../test/support/open-database.js';
import { connectBeside, queryBeside, tableNamesOf } from '../../../test/support/other-connection.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { ask, respond } from '../../../test/support/requests.js';
import { run } from '../../../test/support/run.js';
import { startApp } from '../../../test/support/start-app.js';

const REQUESTS = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', MAX_OPEN_REQUESTS: '100000' };
const FILE = 'a very secret file, with tulips in it';
const SECRET = { payload: 'tulips at noon', passphrase: 'correct horse', name: 'spring', note: 'for Ada' };
const LARGE = '🌷'.repeat(950_000); // megabytes: two are more than is read at a time

/** A server of the other family than that of the specs. */
const OTHER = engine.url && (engine.name === 'postgres' ? otherServers.mysql : otherServers.postgresql);

/** What the source has, besides thousands of rows. */
interface Kept {
  email: string;
  token: string;
  secret: string;
  withFile: string;
  large: string[];
  /** A request that takes one more answer. */
  request: string;
}

describe('Moving to another database', () => {
  const source = forAllTests(makeSqliteInstance);
  const folder = forAllTests(makeFolder);
  let file: string;
  /** An export of a few rows. */
  let small: string;
  let exported: any;
  let kept: Kept;
  const targets: Instance[] = [];

  beforeAll(async () => {
    file = join(folder.path, 'export');
    small = join(folder.path, 'small');
    kept = await fill(source, small);
    exported = await command(source, ['export', file]);
  });
  afterAll(async () => {
    for (const instance of targets) await instance.destroy();
  });

  /** An empty database, with the master key of the source. */
  async function newTarget(make = makeNewInstance): Promise<Instance> {
    const target = await make();
    targets.push(target);
    await cp(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
    return target;
  }

  /** Runs a command, and returns how many rows of each table it has copied. */
  async function copy(instance: Instance, name: 'import' | 'export', path: string): Promise<unknown> {
    const { code, stdout, stderr } = await command(instance, [name, path]);
    expect([code, stderr]).toEqual([0, name === 'import' ? '' : expect.any(String)]);
    return JSON.parse(stdout).rows;
  }

  const lines = () => exportedLines(small);

  /** A file with these lines, whose end agrees with them unless it is among them. */
  async function fileOf(changed: string[], hasEnd = false): Promise<string> {
    const path = join(folder.path, randomBytes(6).toString('hex'));
    await writeExport(path, changed, hasEnd);
    return path;
  }

  async function expectAllAsItWas(instance: Instance): Promise<void> {
    await cp(join(source.dataDir, 'files'), join(instance.dataDir, 'files'), { recursive: true });
    const running = await startApp(REQUESTS, { instance });
    try {
      const owner = new Client(running.url, { Authorization: `Bearer ${kept.token}` });
      const last = await running.anonymous.retrieve(kept.secret, SECRET.passphrase);
      const none = await running.anonymous.retrieve(kept.secret, SECRET.passphrase);
      const { body } = await running.anonymous.retrieve(kept.withFile);
      const pageClient = new PageClient(running.url);
      await pageClient.signIn(kept.email);

      expect(last.body).toMatchObject({ payload: SECRET.payload, views_remaining: 0 });
      expect(none.body).toMatchObject({ payload: null, expired: true });
      expect((await download(body.files[0].url)).bytes.toString()).toBe(FILE);
      for (const urlToken of kept.large)
        expect((await owner.retrieve(urlToken)).body.payload === LARGE).toBe(true);
      expect((await owner.get('/api/v2/pushes/expired')).body[0].url_token).toBe(kept.secret);
      expect(await pageClient.isSignedIn()).toBe(true);
      const answering = running.anonymous.with({ 'X-Push-Passphrase': 'horse' });
      expect((await respond(answering, kept.request, 'rose')).status).toBe(201);
      const asked = (await owner.get(`/api/v2/requests/${kept.request}`)).body;
      expect(asked).toMatchObject({ name: 'spring', state: 'closed', answers_remaining: 0 });
      const answers = asked.answer_url_tokens.map((urlToken: string) => owner.retrieve(urlToken));
      expect((await Promise.all<ClientResponse>(answers)).map(({ body: { payload } }) => payload)).toEqual([
        'tulip',
        'rose',
      ]);
    } finally {
      await running.stop();
    }
  }

  it('copies every row of every table to one server, another one and back exactly, and everything works there', async () => {
    const there = await newTarget();
    const onServers =
      OTHER === undefined ? [there] : [there, await newTarget(() => makeNewInstanceOn(OTHER))];
    const back = await newTarget(makeSqliteInstance);
    const copied: unknown[] = [];
    let path = file;
    for (const [index, instance] of onServers.entries()) {
      const next = join(folder.path, `again-${index}`);
      copied.push(await copy(instance, 'import', path), await copy(instance, 'export', next));
      path = next;
    }
    copied.push(await copy(back, 'import', path));
    const rows = await allRows(source);

    const counts = countsOf(rows);
    const audited = counts.instance_audit_entries ?? 0;
    const after = (more: number) => ({ ...counts, instance_audit_entries: audited + more });
    const both = 2 * onServers.length; // an import and an export are entries too
    expect(copied).toEqual([0, 2, 2, 4, 4].slice(0, both + 1).map(after));
    const { instance_audit_entries: entries = [], ...others } = await allRows(back);
    expect([...entries.slice(0, audited), entries.length]).toEqual([
      ...(rows.instance_audit_entries ?? []),
      audited + both + 1,
    ]);
    expect({ ...others, instance_audit_entries: rows.instance_audit_entries }).toEqual(rows);
    expect(Object.entries(countsOf(rows)).filter(([, count]) => count === 0)).toEqual([]);
    const log = join(folder.path, 'log');
    await command(there, ['audit:export', log]);
    const text = await readFile(log, 'utf8');
    expect(linesOf(text).map(({ digest: its }) => its)).toEqual(expectedDigests(text));
    expect(linesOf(text).length).toBeGreaterThan(600);
    await expectAllAsItWas(onServers.at(-1) ?? there);
  });

  it('leaves out locks of running processes and files to be swept only, and names tables that no module has', async () => {
    const instance = await newTarget();
    const running = await startApp({}, { instance });
    const tables = await tableNames(running.dataSource);
    await running.dataSource.query('CREATE TABLE notices_seen (text varchar(100))');
    await running.stop();
    const path = join(folder.path, 'with-a-module');
    const { code, stdout } = await command(instance, ['export', path]);

    expect([code, JSON.parse(stdout).left_out]).toEqual([0, ['notices_seen']]);
    const unmoved = ['leases', 'migrations', 'webhook_changes', 'unknown_files', 'uploads'];
    expect([...Object.keys(JSON.parse(stdout).rows), ...unmoved].sort()).toEqual(tables.sort());
  });

  it('exports to a file that only its owner can read, without a secret, and warns of further views', async () => {
    const text = gunzipSync(await readFile(file)).toString();
    const masterKey = await readFile(join(source.dataDir, 'master.key'), 'utf8');

    expect(exported).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^sealpush: Never start the service with this database again .+\.\n$/),
    });
    expect(JSON.parse(exported.stdout)).toEqual({ file, rows: expect.any(Object) });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const secret of [...Object.values(SECRET), FILE, kept.token, kept.secret, kept.withFile, masterKey])
      for (const encoding of ['utf8', 'base64', 'hex'] as const)
        expect(text).not.toContain(Buffer.from(secret.trim()).toString(encoding).replace(/=+$/, ''));
  });

  it('exports to no existing file, and to no path that cannot be written', async () => {
    const before = await readFile(file);
    const nowhere = join(folder.path, 'nowhere', 'export');

    for (const [path, why] of [
      [file, 'already exists, and an export overwrites nothing'],
      [folder.path, 'already exists, and an export overwrites nothing'],
      [nowhere, 'cannot be written (ENOENT)'],
    ])
      expect(await command(source, ['export', path ?? ''])).toEqual({
        code: 1,
        stdout: '',
        stderr: `sealpush: ${path} ${why}.\n`,
      });
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('exports the database as it is at one moment', async () => {
    const database = await openDatabase(await newTarget());
    const { dataSource } = database;
    await database.write('before');
    const counts = await inSnapshot(dataSource, async (manager) => {
      const read = async () => (await manager.query('SELECT name FROM leases')).length as number;
      const first = await read();
      await database.write('meanwhile');
      return [first, await read()];
    });
    const after = await dataSource.query('SELECT name FROM leases');
    await database.close();

    expect([counts, after.length]).toEqual([[1, 1], 2]);
  });

  describe('with a target', () => {
    let target: Instance;

    beforeEach(async () => (target = await newTarget()));

    const importOf = (path: string) => command(target, ['import', path]);
    const tables = () => tableNamesOf(target);
    const countOf = async (table: string) => {
      const sql = `SELECT COUNT(*) AS count FROM ${table}`;
      const [{ count }] = await queryBeside(target, sql).catch(() => [{ count: 0 }]);
      return Number(count);
    };
    const expectRefused = async (path: string, why: string | RegExp) => {
      expect(await importOf(path)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
      expect(await tables()).toEqual([]);
    };

    it('refuses a file that is cut off or altered, before anything is written', async () => {
      const bytes = await readFile(small);
      const all = await lines();
      const withoutEnd = all.slice(0, -1);
      const altered = withoutEnd.map((line) => line.replace('"test"', '"tost"'));
      const cut = join(folder.path, 'cut');
      await writeFile(cut, bytes.subarray(0, bytes.length / 2));
      const flipped = join(folder.path, 'flipped');
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(flipped, bytes);
      const damaged = (path: string, why: string) =>
        new RegExp(`^sealpush: ${path} is damaged \\(${why}\\)\\. Nothing of it can be imported: .+\\.\\n$`);

      await expectRefused(cut, damaged(cut, 'unexpected end of file'));
      await expectRefused(flipped, damaged(flipped, '.+'));
      for (const [changed, why] of [
        [withoutEnd, 'its end is missing'],
        [[...altered, ...all.slice(-1)], 'its SHA-256 is wrong'],
        [[...withoutEnd.slice(0, -1), ...all.slice(-1)], 'its SHA-256 is wrong'],
        [[...all, ...all.slice(-1)], 'it has lines after its end'],
      ] as const) {
        const path = await fileOf([...changed], true);
        await expectRefused(path, damaged(path, why));
      }
    });

    it('refuses a file of another version, or with data that does not fit', async () => {
      const [header = '', ...rest] = (await lines()).slice(0, -1);
      const parsed = JSON.parse(header);
      const version = parsed.application_version;
      const withHeader = (changes: object) => [JSON.stringify({ ...parsed, ...changes }), ...rest];
      const newer = [...parsed.migrations, 'Pushes_Roses4000000000000'];
      const users = rest.findIndex((line) => line.startsWith('{"table":"users"')) + 1;
      const withUser = (change: (user: unknown[]) => void) => {
        const user = JSON.parse(rest[users] ?? '');
        change(user);
        return [header, ...rest.slice(0, users), JSON.stringify(user), ...rest.slice(users + 1)];
      };

      for (const [changed, why] of [
        [withHeader({ version: 2 }), `has version 2 of the format, and .+ only version 1: import it with .+`],
        [withHeader({ migrations: newer }), `was exported by a newer version, ${version}: .+`],
        [
          withHeader({ migrations: [] }),
          `was exported by an older version, ${version}, or without some of the MODULES here\\. .+ export it again`,
        ],
        [
          withHeader({ migrations: [...parsed.migrations, 'Garden_Initial1800000000000'] }),
          `was exported by version ${version} with modules that are not loaded here \\(Garden\\): import it with .+`,
        ],
        [withHeader({ format: 'other' }), 'is not an export of Sealpush'],
      ] as const) {
        const path = await fileOf(changed);
        await expectRefused(path, new RegExp(`^sealpush: ${path} ${why}\\.\\n$`));
      }
      for (const change of [
        (user: unknown[]) => (user[0] = null),
        (user: unknown[]) => (user[1] = 7),
        (user: unknown[]) => (user[3] = '2026-13-01T00:00:00.000Z'),
        (user: unknown[]) => (user[4] = '1'),
      ])
        await expectRefused(
          await fileOf(withUser(change)),
          /^sealpush: The file has data that does not fit /,
        );
      for (const table of ['leases', 'migrations', 'tulips'])
        await expectRefused(
          await fileOf([header, `{"table":"${table}","columns":["name"]}`, '["tulip"]', ...rest]),
          `^sealpush: The file has data that does not fit ${table}\\. Nothing of it can be imported\\.\n$`,
        );
      const tooFew = await fileOf(withUser((user) => user.pop()));
      await expectRefused(tooFew, /is damaged \(a row is wrong\)/);
    });

    it('refuses a file of a build from before the first release', async () => {
      const [header = '', ...rest] = (await lines()).slice(0, -1);
      const migrations = ['Initial1764700000000', 'SaidReasons1766700000000'];
      const path = await fileOf([JSON.stringify({ ...JSON.parse(header), migrations }), ...rest]);

      await expectRefused(path, `^sealpush: ${path} was exported by a build from before the first release, `);
    });

    it('refuses a path that is no file of an export', async () => {
      const text = join(folder.path, 'text');
      await writeFile(text, 'tulips');

      await expectRefused(folder.path, `^sealpush: ${folder.path} cannot be read \\(EISDIR\\)\\.\n$`);
      await expectRefused(`${file}.no`, `^sealpush: ${file}\\.no cannot be read \\(ENOENT\\)\\.\n$`);
      await expectRefused(text, `^sealpush: ${text} is not an export of Sealpush\\.\n$`);
    });

    it('refuses to begin without the master key, or with another one (J2)', async () => {
      const why = `^sealpush: ${file} holds what was sealed with master key [0-9a-f]{16}, which is not configured\\. `;
      await rm(join(target.dataDir, 'master.key'));

      await expectRefused(file, why);
      target.env.MASTER_KEYS = randomBytes(32).toString('base64');
      await expectRefused(file, why);
    });

    it('that fails in its last steps is discarded before a service could have started, and never after', async () => {
      const record = jest.spyOn(InstanceAudit.prototype, 'record');
      let names: unknown[] = [];
      record.mockImplementationOnce(async () => {
        names = await tables();
        throw new Error('lost');
      });
      expect((await importOf(file)).code).toBe(1);
      expect(names).toContain('unfinished_import');
      expect(await countOf('users')).toBe(0);
      record.mockRestore();

      // oxlint-disable-next-line typescript/unbound-method -- it is called on its object
      const { finish } = ImportTarget.prototype;
      jest.spyOn(ImportTarget.prototype, 'finish').mockImplementationOnce(async function (
        this: ImportTarget,
      ) {
        await finish.call(this);
        throw new Error('The response was lost');
      });
      expect((await importOf(file)).code).toBe(1);
      expect(await countOf('users')).toBeGreaterThan(0);
      await (await startApp({}, { instance: target })).stop();
    });

    it('imports only into an empty database', async () => {
      await (await startApp({}, { instance: target })).stop();
      const before = await tables();

      expect(await importOf(file)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'sealpush: The database in the settings is not empty, and an import changes nothing that exists: use an empty one.\n',
      });
      expect(await tables()).toEqual(before);
      expect(await countOf('users')).toBe(0);
    });

    it('killed in the middle, leaves a database that no service starts with, and the next import completes it', async () => {
      const pipe = join(folder.path, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const bytes = await readFile(file);
      const child = spawn(process.execPath, ['dist/cli.js', 'import', pipe], {
        env: { ...CHILD_ENV, ...target.env },
      });
      await writeFile(pipe, bytes); // read once to check it, and again to import it
      await eventually(async () => (await tables()).length > 0);
      const writer = await open(pipe, 'w');
      await writer.writeFile(bytes.subarray(0, bytes.length * 0.9));
      await eventually(async () => (await countOf('pushes')) > 0);
      child.kill('SIGKILL');
      await once(child, 'close');
      await writer.close();
      const refusal = {
        code: 1,
        stdout: '',
        stderr:
          'sealpush: An import into this database has not finished: ' +
          'run it again (npm run -s cli -- import FILE), or use an empty database.\n',
      };

      expect(await run('main.js', target)).toEqual(refusal);
      expect(await command(target, ['user:list'])).toEqual(refusal);
      await letLeasesRunOut(target);
      expect(await importOf(file)).toMatchObject({ code: 0, stderr: '' });
      await expectAllAsItWas(target);
    });

    it('says which table cannot be written, and starts over with a better file', async () => {
      const all = (await lines()).slice(0, -1);
      const at = all.findIndex((line) => line.startsWith('{"table":"audit_entries"')) + 1;
      const entry = JSON.parse(all[at] ?? '');
      entry[1] = randomBytes(18).toString('hex'); // an entry of a push that does not exist
      const { code, stdout, stderr } = await importOf(await fileOf(all.with(at, JSON.stringify(entry))));

      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^sealpush: Rows of table audit_entries cannot be written \([A-Z_0-9]+\)\. The import is not finished: .+\.\n$/,
      );
      expect((await importOf(file)).code).toBe(0);
      expect(await countOf('users')).toBe(JSON.parse(exported.stdout).rows.users);
    });
  });
});

/** Pushes, accounts and files of people, and rows in every table. */
async function fill(instance: Instance, small: string): Promise<Kept> {
  const running = await startApp(REQUESTS, { instance });
  const { token, id: userId, client: owner } = await running.newUser();
  const { email } = await newSignedInUser(running);
  await command(instance, ['token:create', email, '--name', 'ci 🦊 — ŝ']);
  const secret = await owner.push({ ...SECRET, expire_after_views: 2 });
  await running.anonymous.retrieve(secret.url_token, SECRET.passphrase);
  await owner.push({ payload: 'rose', allowed_networks: ['192.0.2.0/24', '2001:db8::/32'] });
  await command(instance, ['export', small]);
  const [push] = await running.dataSource.query('SELECT id FROM pushes');
  await fillDatabase(running, { count: 300, userId, pushId: push.id });
  await running.app
    .get(WebhooksService)
    .add(userId, { url: 'https://example.org', events: ['push.created'] });
  await running.app.get(AuditChainService).chainNewEntries(); // entries of later pushes are moved unchained
  await running.dataSource.manager.insert(SetupStep, { name: 'backup', doneAt: new Date() });
  const withFile = await pushFiles(owner, [{ name: 'Tulpen für Ada.txt', content: FILE }]);
  const large = [await owner.push({ payload: LARGE }), await owner.push({ payload: LARGE })];
  const request = await ask(owner, { name: 'spring', passphrase: 'horse', answers: 2 });
  await respond(running.anonymous.with({ 'X-Push-Passphrase': 'horse' }), request.url_token, 'tulip');
  await running.stop();
  return {
    ...{ email, token, request: request.url_token },
    ...{ secret: secret.url_token, withFile: withFile.url_token },
    large: large.map((push) => push.url_token as string),
  };
}

type Rows = Record<string, string[]>;

/** A digest of each row of an SQLite database as it lies, by table, without those that are not moved. */
async function allRows(instance: Instance): Promise<Rows> {
  const database = await connectBeside(instance);
  const tables = await database.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('leases', 'webhook_changes', 'unknown_files', 'uploads', 'migrations', 'sqlite_sequence')",
  );
  const rows: Rows = {};
  for (const { name } of tables) {
    const all = await database.query(`SELECT * FROM ${name} ORDER BY 1`);
    rows[name] = all.map((row) => digestOf(row));
  }
  await database.close();
  return rows;
}

/** Of its values and their types. */
function digestOf(row: object): string {
  const values = Object.entries(row).map(([name, value]: [string, unknown]) =>
    Buffer.isBuffer(value) ? [name, 'bytes', digest(value)] : [name, typeof value, value],
  );
  return digest(JSON.stringify(values));
}

function countsOf(rows: Rows): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([table, { length }]) => [table, length]));
}

/** As if half a minute had passed. */
async function letLeasesRunOut(instance: Instance): Promise<void> {
  await queryBeside(instance, 'UPDATE leases SET ends_at = 0');
}

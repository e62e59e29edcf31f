import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { onConnection } from './databases.js';
import { engine, otherServers as servers } from './engine.js';

const FIXTURE = join('test', 'fixtures', 'passwordpusher');

export interface ExpectedUser {
  email: string;
  password: string;
  token: string | null;
  otp_secret: string | null;
  backup_codes: string[];
  admin: boolean;
  confirmed: boolean;
}

export interface ExpectedPush {
  case: string;
  url_token: string;
  owner: string | null;
  kind: 'text' | 'file' | 'url' | 'qr';
  payload: string | null;
  passphrase: string;
  note: string;
  name: string;
  expire_after_days: number | null;
  expire_after_views: number | null;
  views_counted: number;
  created_at: string;
  expired: boolean;
  overdue: boolean;
  deleted: boolean;
  deletable_by_viewer: boolean | null;
  retrieval_step: boolean | null;
  files: { name: string; sha256: string; missing: boolean }[];
  logs: string[];
  broken: 'payload' | 'file' | null;
}

/** What is in the data, in clear. */
interface Expected {
  now: string;
  key: string;
  old_key: string;
  users: ExpectedUser[];
  pushes: ExpectedPush[];
}

export type SourceName = 'sqlite' | 'mysql' | 'postgresql';

/** What PasswordPusher has left, moved to the present. */
export interface PasswordPusher {
  expected: Expected;
  /** Of its database. */
  url: string;
  folder: string;
  storage: string;
  /** The arguments of the command that imports it. */
  args: string[];
  /** The push of a case. */
  push(name: string): ExpectedPush;
  /** Runs SQL on its database. */
  query(sql: string): Promise<void>;
  destroy(): Promise<void>;
}

/** Those of which there is a server. */
export const SOURCES: SourceName[] = [
  'sqlite',
  ...(servers.mysql === undefined ? [] : ['mysql' as const]),
  ...(servers.postgresql === undefined ? [] : ['postgresql' as const]),
];

const TIMES = [
  ['users', 'created_at'],
  ['users', 'confirmed_at'],
  ['pushes', 'created_at'],
  ['pushes', 'updated_at'],
  ['pushes', 'expired_on'],
  ['audit_logs', 'created_at'],
] as const;

/** A copy of the data, on an engine. */
export async function makePasswordPusher(name: SourceName = 'sqlite'): Promise<PasswordPusher> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-passwordpusher-'));
  await cp(FIXTURE, folder, { recursive: true });
  const expected: Expected = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8'));
  await rm(join(folder, 'expected.json'));
  const { url, query, destroy } = await { sqlite: inFile, mysql: onMysql, postgresql: onPostgresql }[name](
    folder,
  );
  const seconds = Math.round((Date.now() - Date.parse(expected.now)) / 1000);
  const later = {
    sqlite: (column: string) => `datetime(${column}, '${seconds} seconds')`,
    mysql: (column: string) => `DATE_ADD(${column}, INTERVAL ${seconds} SECOND)`,
    postgresql: (column: string) => `${column} + INTERVAL '${seconds} seconds'`,
  }[name];
  await query(TIMES.map(([table, column]) => `UPDATE ${table} SET ${column} = ${later(column)};`).join('\n'));
  for (const push of expected.pushes)
    push.created_at = new Date(Date.parse(push.created_at) + seconds * 1000).toISOString();

  const files = { key: join(folder, 'key'), previous: join(folder, 'previous'), base: join(folder, 'base') };
  await writeFile(files.key, `${expected.key}\n`);
  await writeFile(files.previous, `${expected.old_key}\n`);
  await writeFile(files.base, 'secret-key-base\n');
  const storage = join(folder, 'storage');
  return {
    expected,
    url,
    folder,
    storage,
    args: [
      ...['import:passwordpusher', '--database', url, '--storage', storage, '--master-key-file', files.key],
      ...['--previous-master-keys-file', files.previous, '--secret-key-base-file', files.base],
    ],
    push: (of) => {
      const found = expected.pushes.find((push) => push.case === of);
      if (!found) throw new Error(`there is no push of the case ${of}`);
      return found;
    },
    query,
    destroy: async () => {
      await destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type OnEngine = Pick<PasswordPusher, 'url' | 'query' | 'destroy'>;

function inFile(folder: string): Promise<OnEngine> {
  const path = join(folder, 'pwpush.sqlite3');
  return Promise.resolve({
    url: `sqlite:${path}`,
    query: (sql) => {
      const file = new Database(path);
      file.exec(sql);
      file.close();
      return Promise.resolve();
    },
    destroy: () => Promise.resolve(),
  });
}

async function onMysql(folder: string): Promise<OnEngine> {
  const name = nameOfDatabase();
  const url = `${servers.mysql}/${name}`;
  const on = (database: string, sql: string) => onConnection(database, (server) => server.query(sql));
  await on(servers.mysql ?? '', `CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await on(url, await readFile(join(folder, 'mysql.sql'), 'utf8'));
  return {
    url,
    query: async (sql) => void (await on(url, sql)),
    destroy: async () => void (await on(servers.mysql ?? '', `DROP DATABASE ${name}`)),
  };
}

async function onPostgresql(folder: string): Promise<OnEngine> {
  const name = nameOfDatabase();
  const url = `${servers.postgresql}/${name}`;
  const psql = (database: string, ...args: string[]) =>
    promisify(execFile)('psql', ['--quiet', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', ...args, database]);
  await psql(`${servers.postgresql}/postgres`, '--command', `CREATE DATABASE ${name}`);
  const dump = await readFile(join(folder, 'postgresql.sql'), 'utf8');
  await writeFile(join(folder, 'postgresql.sql'), dump.replaceAll(/^\\(un)?restrict .*$/gm, '')); // unknown to older ones
  await psql(url, '--file', join(folder, 'postgresql.sql'));
  return {
    url,
    query: async (sql) => void (await psql(url, '--command', sql)),
    destroy: async () =>
      void (await psql(`${servers.postgresql}/postgres`, '--command', `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

function nameOfDatabase(): string {
  return `${engine.databasePrefix ?? `sealpush_test_${Date.now()}_0_`}${randomBytes(6).toString('hex')}`;
}

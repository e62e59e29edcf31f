import { accessSync, constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import type BetterSqlite3 from 'better-sqlite3';
import type { DataSourceOptions, EntityManager, QueryRunner } from 'typeorm';
import { Between, DataSource, In, IsNull, MoreThan, Not } from 'typeorm';
import { batchesById } from '../../../platform/database/in-batches.js';
import { databaseErrorCode } from '../../../platform/database/errors/database-error.js';
import { isAboutEncryption } from '../../../platform/database/postgres/encryption.js';
import { StartError } from '../../../platform/settings/start-error.js';
import { MIB, MINUTE_MS } from '../../../platform/settings/units.js';
import { Refusal } from '../../../platform/errors/refusal.js';
import type { SourceAddress } from './source-address.js';
import { sourceAddress } from './source-address.js';
import {
  SOURCE_ENTITIES,
  SourceAttachment,
  SourceBlob,
  SourceLogEntry,
  SourcePush,
  SourceUser,
  sourceTime,
} from './source-entities.js';

/** Rows that are read together: few, so that they are garbage before V8 moves them to the old heap, which then grows. */
const BATCH = 100;
/** Ciphertexts that are read together; more only if a single one is longer. */
const BATCH_BYTES = 4 * MIB;
/** A log with more entries is read in batches of its own. */
const SHORT_LOG = 20;
/** The jobs of PasswordPusher report this often that they run. */
const HEARTBEAT_MS = MINUTE_MS;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 1000;
const ANY_READ = 'SELECT 1 FROM sqlite_master';

interface LogRow {
  kind: unknown;
  count: unknown;
  last: string;
  lastEntry: unknown;
}

/** How many entries of each kind the log of a push has, and when the last of them was written. */
export class LogCounts {
  /** @param rows one for each kind */
  constructor(private readonly rows: LogRow[]) {}

  get total(): number {
    return sumOf(this.rows);
  }

  /** The number of the last entry. */
  get lastEntry(): number {
    return Math.max(0, ...this.rows.map(({ lastEntry }) => Number(lastEntry)));
  }

  count(...kinds: number[]): number {
    return sumOf(this.of(kinds));
  }

  /** Null when there is none. */
  last(...kinds: number[]): Date | null {
    const times = this.of(kinds).map(({ last }) => last);
    const latest = times.sort().at(-1);
    return latest === undefined ? null : sourceTime(latest);
  }

  private of(kinds: number[]): LogRow[] {
    return this.rows.filter(({ kind }) => kinds.includes(Number(kind)));
  }
}

function sumOf(rows: LogRow[]): number {
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

function idsOf(pushes: SourcePush[]): number[] {
  return pushes.map(({ id }) => id);
}

/** The database of PasswordPusher, which is only read. */
export class SourceDatabase {
  private constructor(private readonly dataSource: DataSource) {}

  private get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Opens the database and checks whether it can be imported.
   * @param mayBeInUse whether PasswordPusher may be running; otherwise it is refused
   * @throws Refusal
   */
  static async open(url: string, mayBeInUse: boolean): Promise<SourceDatabase> {
    const source = new SourceDatabase(await connect(url, mayBeInUse));
    try {
      await source.inspect();
      if (!mayBeInUse && (await source.isInUse())) throw inUse();
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  /** Whether PasswordPusher, or another program, uses the database, as far as it can be seen: see `seesOthers`. */
  async isInUse(): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return (await hasFreshHeartbeat(runner)) || (await hasOtherConnections(runner));
    } finally {
      await runner.release();
    }
  }

  /**
   * Whether it can be seen that others use the database. MySQL shows connections of other users only to those with a
   * privilege, and a file of SQLite that cannot be written is not locked.
   */
  async seesOthers(): Promise<boolean> {
    const { options } = this.dataSource;
    if (options.type === 'postgres') return true;
    if (options.type === 'better-sqlite3') return options.readonly !== true;
    const [row] = await this.manager.query<{ privileges: unknown }[]>(
      "SELECT COUNT(*) AS privileges FROM information_schema.user_privileges WHERE privilege_type = 'PROCESS'",
    );
    return Number(row?.privileges) > 0;
  }

  users(): AsyncGenerator<SourceUser[]> {
    return batchesById(this.manager, SourceUser, BATCH, { after: 0 });
  }

  async *pushes(): AsyncGenerator<SourcePush[]> {
    for (let last = 0; ;) {
      const ids = await this.idsAfter(last);
      const [first, end] = [ids[0], ids.at(-1)];
      if (first === undefined || end === undefined) return;
      const where = { id: Between(first, end) };
      yield await this.manager.find(SourcePush, { where, order: { id: 'ASC' } });
      await setImmediate(); // reads of SQLite never wait, and V8 frees native memory only between events
      last = end;
    }
  }

  countPushes(): Promise<number> {
    return this.manager.count(SourcePush);
  }

  /** Whether anybody has confirmed an email address: otherwise no mails were sent. */
  hasConfirmedUsers(): Promise<boolean> {
    return this.manager.existsBy(SourceUser, { confirmedAt: Not(IsNull()) });
  }

  /** The files of pushes by their numbers, in the order in which they were attached; undefined for one that is lost. */
  async filesOf(pushes: SourcePush[]): Promise<Map<number, (SourceBlob | undefined)[]>> {
    const where = { recordType: 'Push', name: 'files', recordId: In(idsOf(pushes)) };
    const attachments = await this.manager.find(SourceAttachment, { where, order: { id: 'ASC' } });
    if (attachments.length === 0) return new Map();
    const blobs = await this.manager.findBy(SourceBlob, { id: In(attachments.map(({ blobId }) => blobId)) });
    const blobOf = new Map(blobs.map((blob) => [blob.id, blob]));
    return new Map(
      Array.from(
        Map.groupBy(attachments, ({ recordId }) => recordId),
        ([id, found]) => [id, found.map(({ blobId }) => blobOf.get(blobId))],
      ),
    );
  }

  hasFiles(): Promise<boolean> {
    return this.manager.existsBy(SourceAttachment, { recordType: 'Push', name: 'files' });
  }

  /** What the logs of pushes have, by the numbers of the pushes. */
  async logCounts(pushes: SourcePush[]): Promise<(push: SourcePush) => LogCounts> {
    const rows = await this.manager
      .createQueryBuilder(SourceLogEntry, 'entry')
      .select('entry.pushId', 'pushId')
      .addSelect('entry.kind', 'kind')
      .addSelect('COUNT(*)', 'count')
      .addSelect('MAX(entry.createdAt)', 'last')
      .addSelect('MAX(entry.id)', 'lastEntry')
      .where({ pushId: In(idsOf(pushes)) })
      .groupBy('entry.pushId')
      .addGroupBy('entry.kind')
      .getRawMany<LogRow & { pushId: unknown }>();
    const rowsOf = Map.groupBy(rows, ({ pushId }) => Number(pushId));
    return ({ id }) => new LogCounts(rowsOf.get(id) ?? []);
  }

  /** The whole logs of those of these pushes whose logs are short, by the numbers of the pushes. */
  async shortLogs(
    pushes: SourcePush[],
    countsOf: (push: SourcePush) => LogCounts,
  ): Promise<Map<number, SourceLogEntry[]>> {
    const short = pushes.filter((push) => countsOf(push).total <= SHORT_LOG);
    const where = { pushId: In(idsOf(short)) };
    const entries = await this.manager.find(SourceLogEntry, { where, order: { id: 'ASC' } });
    const found = Map.groupBy(entries, ({ pushId }) => pushId);
    return new Map(short.map(({ id }) => [id, found.get(id) ?? []]));
  }

  /** The log of a push after an entry, in batches, oldest first. */
  log({ id }: SourcePush, after = 0): AsyncGenerator<SourceLogEntry[]> {
    return batchesById(this.manager, SourceLogEntry, BATCH, { where: { pushId: id }, after });
  }

  /** The numbers of the next pushes whose ciphertexts are not too long to be read together. */
  private async idsAfter(last: number): Promise<number[]> {
    const rows = await this.manager
      .createQueryBuilder(SourcePush, 'push')
      .select('push.id', 'id')
      .addSelect('COALESCE(LENGTH(push.payloadCiphertext), 0)', 'bytes')
      .where({ id: MoreThan(last) })
      .orderBy('push.id')
      .limit(BATCH)
      .getRawMany<{ id: unknown; bytes: unknown }>();
    let sum = 0;
    const tooMany = rows.findIndex(({ bytes }, index) => (sum += Number(bytes)) > BATCH_BYTES && index > 0);
    return (tooMany < 0 ? rows : rows.slice(0, tooMany)).map(({ id }) => Number(id));
  }

  /** @throws Refusal when it is none of a version of PasswordPusher that is known */
  private async inspect(): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await this.assertKnownTables(runner);
      if (await hasUnfinishedMigration(runner))
        throw new Refusal(
          'PasswordPusher has not finished the upgrade of its own data: start it once more, and wait until it has.',
        );
    } finally {
      await runner.release();
    }
  }

  private async assertKnownTables(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasTable('users')) || !(await runner.hasTable('schema_migrations')))
      throw new Refusal(
        'This is not the database of PasswordPusher: it has no table of users or of migrations.',
      );
    for (const { tableName, columns } of this.dataSource.entityMetadatas)
      for (const { databaseName } of columns)
        if (!(await runner.hasColumn(tableName, databaseName)))
          throw new Refusal(
            `The database is of an older PasswordPusher (it has no ${tableName}.${databaseName}): ` +
              'upgrade PasswordPusher to 2.11 or later first.',
          );
  }
}

async function hasUnfinishedMigration(runner: QueryRunner): Promise<boolean> {
  if (!(await runner.hasTable('data_migration_statuses'))) return false;
  const rows = (await runner.query(
    'SELECT name FROM data_migration_statuses WHERE completed IS NULL OR NOT completed',
  )) as unknown[];
  return rows.length > 0;
}

/** Whether its background jobs have reported in the last two minutes that they run. */
async function hasFreshHeartbeat(runner: QueryRunner): Promise<boolean> {
  if (!(await runner.hasTable('solid_queue_processes'))) return false;
  const [row] = (await runner.query('SELECT MAX(last_heartbeat_at) AS last FROM solid_queue_processes')) as {
    last: string | null;
  }[];
  const last = row?.last ? sourceTime(row.last) : null;
  return last !== null && Math.abs(Date.now() - last.getTime()) < 2 * HEARTBEAT_MS;
}

/** On SQLite there are none: `connect` has locked the file. */
async function hasOtherConnections(runner: QueryRunner): Promise<boolean> {
  const { type } = runner.dataSource.options;
  if (type === 'better-sqlite3') return false;
  const [row] = (await runner.query(
    type === 'postgres'
      ? `SELECT COUNT(*) AS others FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL`
      : `SELECT COUNT(*) AS others FROM information_schema.processlist
         WHERE db = DATABASE() AND id <> CONNECTION_ID()`,
  )) as { others: unknown }[];
  return Number(row?.others) > 0;
}

async function connect(url: string, mayBeInUse: boolean): Promise<DataSource> {
  const path = /^sqlite3?:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return connectToFile(path, mayBeInUse);
  try {
    const dataSource = await connectToServer(url);
    if (dataSource.options.type === 'postgres')
      await dataSource.query('SET default_transaction_read_only = on');
    return dataSource;
  } catch (error) {
    throw notOpened('The database of PasswordPusher', error);
  }
}

/**
 * Unless it may be in use, nobody else can use the file while it is open. A log of SQLite that a killed program has left is
 * then merged into the file at the end, as by whatever opens it for writing; what the file has stays the same.
 */
async function connectToFile(path: string, mayBeInUse: boolean): Promise<DataSource> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw notOpened(path, error); // TypeORM would create its folder
  });
  try {
    return await new DataSource(fileOptions(path, !mayBeInUse && isWritable(path))).initialize();
  } catch (error) {
    throw databaseErrorCode(error).startsWith('SQLITE_BUSY') ? inUse() : notOpened(path, error);
  }
}

/** A file that cannot be written is not locked: SQLite has its locks in a file beside it. */
function isWritable(path: string): boolean {
  try {
    for (const part of [path, dirname(path)]) accessSync(part, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function fileOptions(database: string, isLocked: boolean): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    database,
    entities: SOURCE_ENTITIES,
    fileMustExist: true,
    readonly: !isLocked,
    timeout: LOCK_TIMEOUT_MS,
    prepareDatabase: (file: BetterSqlite3.Database) => {
      if (isLocked) takeLock(file);
      file.pragma('query_only = ON');
      file.prepare(ANY_READ).get();
    },
  };
}

/** It is kept until the file is closed. */
function takeLock(file: BetterSqlite3.Database): void {
  file.pragma('locking_mode = EXCLUSIVE');
  file.exec('BEGIN EXCLUSIVE');
  file.exec('COMMIT');
}

/** Tries the ways to encrypt the connection that its URL allows, in their order. */
async function connectToServer(url: string): Promise<DataSource> {
  let refusal: unknown;
  for (const makeOptions of waysToConnect(sourceAddress(url)))
    try {
      return await new DataSource(await makeOptions()).initialize();
    } catch (error) {
      if (!isAboutEncryption(error) && !/HANDSHAKE_NO_SSL_SUPPORT/.test(String(error))) throw error;
      refusal = error;
    }
  throw refusal;
}

function waysToConnect(source: SourceAddress): (() => Promise<DataSourceOptions>)[] {
  const entities = SOURCE_ENTITIES;
  if (source.type === 'mysql')
    return source.encryption.map((tls) => async () => {
      const { mysqlOptions } = await import('../../../platform/database/mysql/mysql-options.js');
      return {
        ...(await mysqlOptions(source.address, 1, { tls, isOnlyRead: true })),
        entities,
        dateStrings: true,
      };
    });
  const { servers, username, password, database } = source.address;
  const extra = { types: { getTypeParser: () => (text: unknown) => text } }; // the driver would read times as local ones
  const common = {
    type: 'postgres',
    ...servers[0],
    ...{ username, password, database },
    entities,
    extra,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
  } as const;
  return source.encryption.map(
    (ssl) => () => Promise.resolve({ ...common, ssl: ssl as false | TlsOptions, poolSize: 1 }),
  ); // all others are of others
}

/** Messages of drivers have names of databases and users, and no passwords. */
function notOpened(name: string, error: unknown): Error {
  if (error instanceof StartError || error instanceof Refusal) return error;
  const code = databaseErrorCode(error) || (error as NodeJS.ErrnoException).code;
  const hint = code === 'SQLITE_CANTOPEN' ? ': SQLite needs to write to its folder' : '';
  return new Refusal(`${name} cannot be opened (${code ?? (error as Error).message})${hint}.`);
}

function inUse(): Refusal {
  return new Refusal(
    'PasswordPusher, or another program, still uses the database: stop it first. ' +
      'Otherwise what it counts from now on would be lost, and secrets would be shown once more.',
  );
}

import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { DataSource, EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { appliedMigrations, knownMigrations } from '../../platform/database/applied-migrations.js';
import { inSnapshot } from '../../platform/database/snapshot.js';
import { tableColumns } from '../../platform/database/tables.js';
import { moveWriteAheadLog } from '../../platform/database/sqlite/write-ahead-log.js';
import { syncFolder, writeDurably } from '../../platform/database/engine/durable-files.js';
import { APPLICATION_VERSION } from '../../platform/settings/application-version.js';
import type { EndLine, Header, TableLine } from './export-format.js';
import { FORMAT, FORMAT_VERSION, newDigest } from './export-format.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { exportedTablesInOrder, tableWithoutEntity, unknownTables } from './exported-tables.js';
import { tableRows } from './table-rows.js';
import { encoded, isKept, isMovable } from './value-codec.js';

interface Exported {
  /** How many rows of each table are in the file. */
  rows: Record<string, number>;
  /** Tables that are not in the file, because no module that is loaded has an entity for them. */
  leftOut: string[];
}

/**
 * Writes all rows of the service and its modules as they are at one moment to a new file.
 * @param start runs once the file is there and before the rows are read
 * @throws Refusal
 */
export async function exportDatabase(
  dataSource: DataSource,
  path: string,
  start: () => Promise<void>,
): Promise<Exported> {
  const rows: Record<string, number> = {};
  const tables = await movableTables(dataSource);
  const file = await createFile(path);
  try {
    await start();
    await inSnapshot(dataSource, (manager) =>
      pipeline(Readable.from(linesOf(manager, tables, rows)), createGzip(), (parts: AsyncIterable<Buffer>) =>
        writeDurably(parts, file),
      ),
    );
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw isOfFile(error) ? notWritten(path, error) : error;
  } finally {
    await moveWriteAheadLog(dataSource).catch(() => undefined); // then the service does it
  }
  return { rows, leftOut: await unknownTables(dataSource) };
}

/** The text of the file in parts, each of whole lines. Counts the rows of each table in `rows`. */
async function* linesOf(
  manager: EntityManager,
  tables: EntityMetadata[],
  rows: Record<string, number>,
): AsyncGenerator<string> {
  const digest = newDigest();
  const counted = (lines: object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    digest.update(text);
    return text;
  };
  yield counted([await headerOf(manager.dataSource)]);
  for (const metadata of tables) {
    const { tableName: table, columns } = metadata;
    yield counted([{ table, columns: columns.map((column) => column.databaseName) } satisfies TableLine]);
    rows[table] = 0;
    for await (const batch of tableRows(manager, metadata)) {
      rows[table] += batch.length;
      yield counted(batch.map((row) => columns.map((column) => exportedValue(row, column))));
    }
  }
  yield `${JSON.stringify({ end: { rows, sha256: digest.digest('hex') } } satisfies EndLine)}\n`;
}

/** @throws Refusal when an import would get another value */
function exportedValue(row: ObjectLiteral, column: ColumnMetadata): unknown {
  const value: unknown = row[column.propertyName];
  if (isKept(value, column)) return encoded(value);
  throw new Refusal(
    `An export cannot have what is in column ${column.databaseName} of table ${column.entityMetadata.tableName}: ` +
      'docs/extending.md says which values it can.',
  );
}

async function headerOf(dataSource: DataSource): Promise<Header> {
  const known = knownMigrations(dataSource);
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    application_version: APPLICATION_VERSION,
    created_at: new Date().toISOString(),
    migrations: (await appliedMigrations(dataSource)).filter((name) => known.includes(name)),
  };
}

/** @throws Refusal when a file cannot have all that is in them */
async function movableTables(dataSource: DataSource): Promise<EntityMetadata[]> {
  const joining = tableWithoutEntity(dataSource);
  if (joining !== undefined)
    throw new Refusal(
      `An export cannot have table ${joining}, which has no entity: docs/extending.md says how it gets one.`,
    );
  const tables = await exportedTablesInOrder(dataSource);
  const existing = Map.groupBy(await tableColumns(dataSource), ({ table }) => table);
  for (const { tableName, name, columns } of tables) {
    const column = columns.find((each) => !isMovable(each));
    if (column)
      throw new Refusal(
        `An export cannot have column ${column.databaseName} of table ${tableName}: docs/extending.md says which it can.`,
      );
    const known = columns.map(({ databaseName }) => databaseName);
    const lost = existing.get(tableName)?.find((each) => !known.includes(each.column));
    if (lost)
      throw new Refusal(
        `Column ${lost.column} of table ${tableName} would be lost, because the entity ${name} does not have it.`,
      );
  }
  return tables;
}

/** Readable only by its owner, like the database itself. */
async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!isOfFile(error)) throw error;
    if (error.code === 'EEXIST')
      throw new Refusal(`${path} already exists, and an export overwrites nothing.`);
    throw notWritten(path, error);
  }
}

function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  const { syscall } = error as NodeJS.ErrnoException;
  return ['open', 'write', 'fsync', 'fdatasync'].includes(syscall ?? '');
}

function notWritten(path: string, { code = 'unknown' }: NodeJS.ErrnoException): Refusal {
  return new Refusal(`${path} cannot be written (${code}).`);
}

import type { ColumnType, EntityManager, EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { BATCH_BYTES } from './export-format.js';

/** Few, so that what is made of them is garbage before V8 moves it to the old heap, which then grows. */
const BATCH_ROWS = 100;

/** The values of the columns of a key, as the database has them. */
type Key = unknown[];

/** All rows of a table in batches, ordered by their key. */
export async function* tableRows(
  manager: EntityManager,
  metadata: EntityMetadata,
): AsyncGenerator<ObjectLiteral[]> {
  const columns = metadata.columns.map(({ propertyName }) => `moved.${propertyName}`); // also those of select: false
  let after: Key | undefined;
  for (;;) {
    const keys = await keysOfBatch(manager, metadata, after);
    if (keys.length === 0) return;
    yield await rowsAfter(manager, metadata, after).select(columns).limit(keys.length).getMany();
    after = keys.at(-1);
  }
}

/** The keys of the next rows, as many as are read at a time. */
async function keysOfBatch(manager: EntityManager, metadata: EntityMetadata, after?: Key): Promise<Key[]> {
  const names = keyOf(metadata);
  const query = rowsAfter(manager, metadata, after).select(sizeOf(metadata), 'bytes').limit(BATCH_ROWS);
  names.forEach((name, index) => query.addSelect(name, `key${index}`));
  const rows = await query.getRawMany<Record<string, unknown>>();
  let bytes = 0;
  const tooMany = rows.findIndex((row, index) => (bytes += Number(row.bytes)) > BATCH_BYTES && index > 0);
  const batch = rows.slice(0, tooMany < 0 ? rows.length : tooMany);
  return batch.map((row) => names.map((_, index) => row[`key${index}`]));
}

/** The rows after that with a key; no row value is compared, because servers use no index for that. */
function rowsAfter(
  manager: EntityManager,
  metadata: EntityMetadata,
  after?: Key,
): SelectQueryBuilder<ObjectLiteral> {
  const names = keyOf(metadata);
  const query = manager.createQueryBuilder(metadata.target, 'moved').withDeleted();
  for (const name of names) query.addOrderBy(name);
  if (!after) return query;
  const isGreater = names.map((name, index) =>
    [...names.slice(0, index).map((equal, at) => `${equal} = :key${at}`), `${name} > :key${index}`].join(
      ' AND ',
    ),
  );
  return query.where(
    isGreater.join(' OR '),
    Object.fromEntries(after.map((value, at) => [`key${at}`, value])),
  );
}

function keyOf({ primaryColumns }: EntityMetadata): string[] {
  return primaryColumns.map(({ propertyName }) => `moved.${propertyName}`);
}

const LONG_TYPES = new Set<ColumnType>([
  'text',
  'blob',
  'mediumblob',
  'bytea',
  'simple-json',
  'simple-array',
]);

/** Only long columns make a difference. */
function sizeOf({ columns }: EntityMetadata): string {
  const long = columns.filter(({ type }) => LONG_TYPES.has(type));
  return ['0', ...long.map(({ propertyName }) => `COALESCE(LENGTH(moved.${propertyName}), 0)`)].join(' + ');
}

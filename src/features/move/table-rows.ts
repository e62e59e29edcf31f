import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';
import { BATCH_BYTES } from './export-format.js';

/** Few, so that what is made of them is garbage before V8 moves it to the old heap, which then grows. */
const BATCH_ROWS = 100;

/** All rows of a table in batches, ordered by their key. */
export async function* tableRows(
  manager: EntityManager,
  metadata: EntityMetadata,
): AsyncGenerator<ObjectLiteral[]> {
  const key = keyOf(metadata);
  let after = '';
  for (;;) {
    const last = await lastOfBatch(manager, metadata, after);
    if (last === undefined) return;
    yield await manager
      .createQueryBuilder(metadata.target, 'moved')
      .select(metadata.columns.map(({ propertyName }) => `moved.${propertyName}`)) // also those of select: false
      .where(`moved.${key} > :after AND moved.${key} <= :last`, { after, last })
      .orderBy(`moved.${key}`)
      .getMany();
    after = last;
  }
}

/** The key that the next batch ends with. Keys are texts, and none is empty. */
async function lastOfBatch(
  manager: EntityManager,
  metadata: EntityMetadata,
  after: string,
): Promise<string | undefined> {
  const key = keyOf(metadata);
  const rows = await manager
    .createQueryBuilder(metadata.target, 'moved')
    .select(`moved.${key}`, 'id')
    .addSelect(sizeOf(metadata), 'bytes')
    .where(`moved.${key} > :after`, { after })
    .orderBy(`moved.${key}`)
    .limit(BATCH_ROWS)
    .getRawMany<{ id: string; bytes: number | string }>();
  let bytes = 0;
  const tooMany = rows.findIndex((row, index) => (bytes += Number(row.bytes)) > BATCH_BYTES && index > 0);
  return rows.at(tooMany < 0 ? -1 : tooMany - 1)?.id;
}

/** Only long columns make a difference. */
function sizeOf({ columns }: EntityMetadata): string {
  const long = columns.filter(({ type }) => type === 'mediumblob');
  return ['0', ...long.map(({ propertyName }) => `COALESCE(LENGTH(moved.${propertyName}), 0)`)].join(' + ');
}

function keyOf({ primaryColumns: [key, ...others], name }: EntityMetadata): string {
  if (key?.type !== 'varchar' || others.length > 0) throw new Error(`${name} has no key of one text column`);
  return key.propertyName;
}

import type { Repository } from 'typeorm';
import { In } from 'typeorm';
import type { Push } from './push.entity.js';

/** Overwriting this much takes SQLite about 20 ms, which blocks the process. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The first of these pushes, limited to what one transaction may shred: fewer when payloads are large. */
export async function limitShreddedBytes<P extends Pick<Push, 'id'>>(
  repository: Repository<Push>,
  pushes: P[],
): Promise<P[]> {
  if (pushes.length === 0) return [];
  const rows = await repository
    .createQueryBuilder('push')
    .select('push.id', 'id')
    .addSelect('LENGTH(push.payload)', 'bytes')
    .where({ id: In(pushes.map(({ id }) => id)) })
    .getRawMany<{ id: string; bytes: number | null }>();
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]));
  let sum = 0;
  const tooMany = pushes.findIndex(({ id }, i) => (sum += bytesOf.get(id) ?? 0) > MAX_BYTES && i > 0);
  return tooMany === -1 ? pushes : pushes.slice(0, tooMany);
}

import type { EntityManager, EntityTarget } from 'typeorm';
import { In } from 'typeorm';

/** Deletes all of these rows but those that were seen last. */
export async function keepLatestWithin(
  manager: EntityManager,
  entity: EntityTarget<{ id: string; seenAt: Date }>,
  rows: { id: string; seenAt: Date }[],
  kept: number,
): Promise<void> {
  const latestFirst = rows.toSorted((a, b) => b.seenAt.getTime() - a.seenAt.getTime());
  const surplus = latestFirst.slice(kept).map(({ id }) => id);
  if (surplus.length > 0) await manager.delete(entity, { id: In(surplus) });
}

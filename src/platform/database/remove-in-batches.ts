import type { FindOptionsSelect, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { In } from 'typeorm';
import { Pace } from './pace.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';

/** Rows in a batch: few, because a transaction blocks others. */
const BATCH_SIZE = 500;

/** Removes any number of rows, each batch in its own transaction with a pause after it, until `signal` aborts. */
export async function removeInBatches<Row extends ObjectLiteral>(
  unitOfWork: UnitOfWork,
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  signal?: AbortSignal,
): Promise<void> {
  const key = rows.metadata.primaryColumns[0]?.propertyName ?? 'id';
  const pace = new Pace();
  while (!signal?.aborted) {
    const batch = await rows.find({
      select: { [key]: true } as FindOptionsSelect<Row>,
      where,
      take: BATCH_SIZE,
    });
    if (batch.length === 0) return;

    const found = { [key]: In(batch.map((row) => row[key] as string)) } as FindOptionsWhere<Row>;
    await unitOfWork.run((manager) => manager.delete(rows.target, found));
    await pace.pause();
  }
}

import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { And, DataSource, In, IsNull, LessThanOrEqual, MoreThan, Not, Or } from 'typeorm';
import { Log } from '../platform/logging/log.js';
import { Job } from '../platform/scheduling/jobs.js';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { FileStore } from './file-store.js';
import { StoredFile } from './file.entity.js';

const BATCH = 50;

/** Removes files that may no longer be downloaded. Rows are deleted after their bytes, so failures are retried. */
@Injectable()
export class FilePurgeService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: FileStore,
    private readonly log: Log,
  ) {}

  /**
   * Removes the files of ended pushes whose links have expired; returns how many.
   * @throws StoreUnavailable
   */
  @Job({
    name: 'file purge',
    every: CronExpression.EVERY_MINUTE,
    title: 'overview.filePurge',
    isExclusive: true,
  })
  async purge(now = new Date(), signal?: AbortSignal): Promise<number> {
    const removed = await this.removeAll((last) => this.nextEnded(now, last), signal);
    if (removed > 0) this.log.event('file purge', { removed });
    return removed;
  }

  /** Removes the files of a deleted push; the next `purge` retries those that cannot be removed now. */
  async purgePush(pushId: string): Promise<void> {
    try {
      await this.removeAll((last) => this.nextOfPush(pushId, last));
    } catch (error) {
      this.log.failure('Removing the files of a deleted push failed; retrying within minutes', error);
    }
  }

  private async removeAll(
    next: (last?: StoredFile) => Promise<StoredFile[]>,
    signal?: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    const failures: unknown[] = [];
    for (let batch = await next(); batch.length > 0; batch = await next(batch.at(-1))) {
      removed += await this.removeBatch(batch, failures);
      if (signal?.aborted) break;
    }
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  /**
   * Files in order of their end. Many end at the same time: the remaining ones that ended together with `last` come
   * first.
   */
  private async nextEnded(now: Date, last?: StoredFile): Promise<StoredFile[]> {
    const linksUntil = Or(IsNull(), LessThanOrEqual(now));
    const order = { endedOn: 'ASC', id: 'ASC' } as const;
    const { manager } = this.dataSource;
    if (!last?.endedOn) {
      return manager.find(StoredFile, {
        where: { endedOn: LessThanOrEqual(now), linksUntil },
        order,
        take: BATCH,
      });
    }
    const withTheLast = { endedOn: last.endedOn, id: MoreThan(last.id), linksUntil };
    const later = { endedOn: And(MoreThan(last.endedOn), LessThanOrEqual(now)), linksUntil };
    const batch = await manager.find(StoredFile, { where: withTheLast, order, take: BATCH });
    return batch.length > 0 ? batch : manager.find(StoredFile, { where: later, order, take: BATCH });
  }

  private nextOfPush(pushId: string, last?: StoredFile): Promise<StoredFile[]> {
    return this.dataSource.manager.find(StoredFile, {
      where: {
        pushId,
        position: MoreThan(last?.position ?? -1),
        endedOn: Not(IsNull()),
        linksUntil: IsNull(),
      },
      order: { position: 'ASC' },
      take: BATCH,
    });
  }

  /** A file that the store cannot remove now keeps its row, and does not stop the removal of others. */
  private async removeBatch(batch: StoredFile[], failures: unknown[]): Promise<number> {
    const stored = batch.filter((file) => !file.isMissing);
    const removed = await this.removeFromStore(
      stored.map(({ storageKey }) => storageKey),
      failures,
    );
    const ids = batch
      .filter(({ storageKey, isMissing }) => isMissing || removed.has(storageKey))
      .map(({ id }) => id);
    if (ids.length > 0) await this.unitOfWork.run((manager) => manager.delete(StoredFile, { id: In(ids) }));
    return ids.length;
  }

  /** Returns the keys that were removed. */
  private async removeFromStore(keys: string[], failures: unknown[]): Promise<Set<string>> {
    const results = await Promise.allSettled(keys.map((key) => this.store.remove(key)));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
    return new Set(keys.filter((_, index) => results[index]?.status === 'fulfilled'));
  }
}

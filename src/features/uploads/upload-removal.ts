import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, IsNull, LessThanOrEqual, Not, Repository } from 'typeorm';
import { dividedKeyOf, FileStore, StoreUnavailable } from '../../files/file-store.js';
import { KnownStorageKeys, StoreStates } from '../../files/store-identity.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { OnAccountRemoval } from '../../pushes/account-removal/account-removal.service.js';
import { ENDED, PartialUpload } from './upload.entity.js';

const BATCH = 50;
/** That one run removes at most; those that could not be removed are the last ones of the next run. */
const MOST_AT_ONCE = 1000;

/** Ends uploads. Rows are deleted after their bytes, because they tell where these are, so failures are retried. */
@Injectable()
export class UploadRemoval {
  constructor(
    @InjectRepository(PartialUpload) private readonly uploads: Repository<PartialUpload>,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: FileStore,
    private readonly log: Log,
  ) {}

  /** Ends an upload; what cannot be removed of it now is removed later. */
  async end({ id }: PartialUpload, now = new Date()): Promise<void> {
    const [upload] = await this.endNow([id], now);
    try {
      if (upload) await this.remove(upload);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.log.failure('Removing an upload that was ended failed; retrying within minutes', error);
    }
  }

  /** Removes uploads that no push has taken in time, and those of deleted accounts. */
  @Job({ name: 'uploads', every: CronExpression.EVERY_MINUTE, isExclusive: true })
  async removeEnded(now = new Date(), signal?: AbortSignal): Promise<void> {
    const ended = await this.uploads.find({
      select: { id: true },
      where: { endsAt: LessThanOrEqual(now) },
      order: { endsAt: 'ASC' },
      take: MOST_AT_ONCE,
    });
    const failures: unknown[] = [];
    for (let from = 0; from < ended.length; from += BATCH) {
      if (signal?.aborted) return;
      const ids = ended.slice(from, from + BATCH).map(({ id }) => id);
      await eachDespiteErrors(await this.endNow(ids, now), (upload) => this.remove(upload)).catch(
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
  }

  @KnownStorageKeys()
  async knownOf(keys: string[]): Promise<string[]> {
    const storageKey = In([...new Set(keys.map(dividedKeyOf))]);
    const found = await this.uploads.find({ select: { storageKey: true }, where: { storageKey } });
    const known = new Set(found.map((upload) => upload.storageKey));
    return keys.filter((key) => known.has(dividedKeyOf(key)));
  }

  @StoreStates()
  async statesOf(keys: string[]): Promise<string[]> {
    const where = { storageKey: In(keys), storeState: Not(IsNull()) };
    const found = await this.uploads.find({ select: { storeState: true }, where });
    return found.map(({ storeState }) => storeState ?? '');
  }

  @OnAccountRemoval()
  async endAllOf(manager: EntityManager, userId: string): Promise<void> {
    await manager.update(PartialUpload, { userId }, { endsAt: new Date(0), appender: ENDED });
  }

  /** From then on no push can take them, and no part is added. Returns them as they were then. */
  private endNow(ids: string[], now: Date): Promise<PartialUpload[]> {
    return this.unitOfWork.run(async (manager) => {
      await manager.update(PartialUpload, { id: In(ids) }, { endsAt: now, appender: ENDED });
      return manager.findBy(PartialUpload, { id: In(ids) });
    });
  }

  private async remove({ id, storageKey, storeState }: PartialUpload): Promise<void> {
    await this.store.discard(storageKey, storeState);
    await this.unitOfWork.run((manager) => manager.delete(PartialUpload, { id }));
  }
}

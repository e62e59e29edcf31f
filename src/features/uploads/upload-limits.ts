import { Injectable, PayloadTooLargeException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { Repository } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { FileRules } from '../../files/file-rules.js';
import { FileStore, StoreUnavailable } from '../../files/file-store.js';
import { UploadQuota } from '../../files/upload-receiver.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import type { PushSource } from '../../pushes/create/push-body.pipe.js';
import { PartialUpload } from './upload.entity.js';
import { UploadProblem } from './uploads.problems.js';
import { UploadSettings } from './uploads.settings.js';

/** How many uploads may be begun, and how large they may be. All limits of a push apply again when it takes them. */
@Injectable()
export class UploadLimits {
  constructor(
    @InjectRepository(PartialUpload) private readonly uploads: Repository<PartialUpload>,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: UploadSettings,
    private readonly rules: FileRules,
    private readonly quota: UploadQuota,
    private readonly store: FileStore,
  ) {}

  /** @throws HttpException when no file of this length may be uploaded, or there is no space for it */
  async assertFits(length: number, source: PushSource, visitor: Visitor, now: Date): Promise<void> {
    if (length > this.rules.maxBytesReceivedInFile)
      throw new PayloadTooLargeException(this.rules.fileTooLarge);
    const { filesLimit, ownerId } = source;
    if (filesLimit && length > filesLimit.bytes) throw filesLimit.exceededError();
    const others = ownerId !== undefined && ownerId === visitor.userId ? await this.bytesOf(ownerId) : 0;
    if (length + others > (await this.quota.remaining(ownerId, now))) throw this.quota.exceededError(now);
    const space = await this.store.diskSpace?.();
    if (space && space.free - length < space.reserve)
      throw new StoreUnavailable(new Error(`${space.free} bytes are free, too few for ${length}`), true);
  }

  /**
   * Of an account exactly; without one, as many more as requests at the same time may be begun.
   * @throws TooManyRequests
   */
  async assertNotTooManyWithin(manager: EntityManager, { userId, ip }: Visitor): Promise<void> {
    const { MAX_OPEN_UPLOADS: count } = this.settings;
    if (userId === undefined) {
      const [one, wide] = clientNetworks(ip);
      await this.assertFewer(manager, { network: one?.network ?? '' }, count);
      if (wide) await this.assertFewer(manager, { wideNetwork: wide.network }, count * wide.factor);
    } else {
      await this.unitOfWork.findForUpdate(manager, User, { id: userId });
      await this.assertFewer(manager, { userId }, count);
    }
  }

  private async assertFewer(
    manager: EntityManager,
    where: FindOptionsWhere<PartialUpload>,
    most: number,
  ): Promise<void> {
    if ((await manager.countBy(PartialUpload, where)) < most) return;
    const problem = new UploadProblem('too_many_uploads', { count: this.settings.MAX_OPEN_UPLOADS });
    throw new TooManyRequests('requests', problem, MINUTE_MS);
  }

  /** Bytes of the uploads of an account. */
  private async bytesOf(userId: string): Promise<number> {
    return Number(await this.uploads.sum('length', { userId }));
  }
}

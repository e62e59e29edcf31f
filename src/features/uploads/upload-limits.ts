import { HttpException, HttpStatus, Injectable, PayloadTooLargeException } from '@nestjs/common';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { In, IsNull } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { FileRules } from '../../files/file-rules.js';
import { FileStore } from '../../files/file-store.js';
import { UploadQuota } from '../../files/upload-receiver.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { digestOf } from '../../platform/random/random.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import type { PushSource } from '../../pushes/create/push-body.pipe.js';
import { PartialUpload } from './upload.entity.js';
import { UploadProblem } from './uploads.problems.js';
import { UploadSettings } from './uploads.settings.js';

/** How many uploads may be begun, and how large they may be. All limits of a push apply again when it takes them. */
@Injectable()
export class UploadLimits {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: UploadSettings,
    private readonly rules: FileRules,
    private readonly quota: UploadQuota,
    private readonly store: FileStore,
  ) {}

  /** @throws HttpException when no file of this length may be uploaded, or there is no space for it */
  async assertFits(length: number): Promise<void> {
    if (length > this.rules.maxBytesReceivedInFile)
      throw new PayloadTooLargeException(this.rules.fileTooLarge);
    const space = await this.store.diskSpace?.();
    if (space && space.free - length < space.reserve) throw tooLittleSpace();
  }

  /**
   * Asserts that the visitor may begin another upload, of this length. Locks the accounts until the end of the
   * transaction, so that this is exact for them; without an account, as many more as requests at the same time may be begun.
   * @throws HttpException
   */
  async assertWithin(
    manager: EntityManager,
    { length, source, visitor }: { length: number; source: PushSource; visitor: Visitor },
    now: Date,
  ): Promise<void> {
    const accounts = [visitor.userId, source.ownerId].filter((id) => id !== undefined);
    if (accounts.length > 0) await this.unitOfWork.findAllForUpdate(manager, User, { id: In(accounts) });
    await this.assertNotTooMany(manager, visitor);
    await this.assertNotTooLarge(manager, length, source, now);
  }

  private async assertNotTooMany(manager: EntityManager, { userId, ip }: Visitor): Promise<void> {
    const { MAX_OPEN_UPLOADS: count } = this.settings;
    if (userId === undefined) {
      const [one, wide] = clientNetworks(ip);
      await this.assertFewer(manager, { network: one?.network ?? '' }, count);
      if (wide) await this.assertFewer(manager, { wideNetwork: wide.network }, count * wide.factor);
    } else {
      await this.assertFewer(manager, { userId }, count);
    }
  }

  /** Together with the uploads for the same that wait for their push. */
  private async assertNotTooLarge(
    manager: EntityManager,
    length: number,
    { filesLimit, ownerId }: PushSource,
    now: Date,
  ): Promise<void> {
    if (ownerId === undefined) return;
    const others: FindOptionsWhere<PartialUpload> = filesLimit
      ? { limitDigest: digestOf(filesLimit.of) }
      : { userId: ownerId, limitDigest: IsNull() };
    const bytes = length + Number(await manager.sum(PartialUpload, 'length', others));
    if (filesLimit && bytes > filesLimit.bytes) throw filesLimit.exceededError();
    if (bytes > (await this.quota.remaining(ownerId, now, manager))) throw this.quota.exceededError(now);
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
}

/** Another request of the same kind would fail as well, until somebody has made space. */
export function tooLittleSpace(): HttpException {
  return new HttpException(new UploadProblem('upload_without_space'), HttpStatus.INSUFFICIENT_STORAGE);
}

import { GoneException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newDividedKey } from '../../files/file-store.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { digestOf, newId, newToken } from '../../platform/random/random.js';
import { newKey } from '../../platform/sealing/secretbox.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import type { PushSource } from '../../pushes/create/push-body.pipe.js';
import type { UploadMetadata } from './tus-headers.js';
import { PartialUpload } from './upload.entity.js';
import { UploadLimits } from './upload-limits.js';
import { UploadSeal } from './upload-seal.js';
import { UploadProblem } from './uploads.problems.js';
import { UploadSettings } from './uploads.settings.js';

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** What an upload is begun with. */
interface NewUpload {
  length: number;
  metadata: UploadMetadata;
  source: PushSource;
}

/** Begins uploads, and finds them for who began them. */
@Injectable()
export class UploadsService {
  constructor(
    @InjectRepository(PartialUpload) private readonly uploads: Repository<PartialUpload>,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: UploadSettings,
    private readonly limits: UploadLimits,
    private readonly uploadSeal: UploadSeal,
  ) {}

  /** @returns the upload, and the token that names it, which is not stored */
  async begin(
    { length, metadata, source }: NewUpload,
    visitor: Visitor,
    now = new Date(),
  ): Promise<{ upload: PartialUpload; token: string }> {
    source.assertMayAttach();
    await this.limits.assertFits(length);
    const token = newToken();
    const bound = { id: newId(), userId: visitor.userId ?? null, tokenDigest: digestOf(token) };
    const key = newKey().toString('base64');
    const [network, wideNetwork] = visitor.userId === undefined ? clientNetworks(visitor.ip) : [];
    const upload = Object.assign(new PartialUpload(), {
      ...bound,
      ...this.uploadSeal.seal({ key, metadata: metadata.text }, bound),
      limitDigest: source.filesLimit ? digestOf(source.filesLimit.of) : null,
      network: network?.network ?? null,
      wideNetwork: wideNetwork?.network ?? null,
      length,
      received: 0,
      storedBytes: 0,
      storageKey: newDividedKey(),
      storeState: null,
      tail: null,
      isAgeFile: false,
      epochs: [0],
      appends: 0,
      appender: null,
      appendUntil: 0,
      endsAt: new Date(now.getTime() + this.settings.UPLOAD_LIFETIME_HOURS * HOUR_MS),
    });
    await this.unitOfWork.run(async (manager) => {
      await this.limits.assertWithin(manager, { length, source, visitor }, now);
      await manager.insert(PartialUpload, upload);
    });
    return { upload, token };
  }

  /**
   * The upload with this token.
   * @throws NotFoundException also when it is that of another account
   * @throws GoneException when it has ended
   */
  async find(token: string, { userId }: Visitor, now = new Date()): Promise<PartialUpload> {
    const upload = TOKEN.test(token) ? await this.uploads.findOneBy({ tokenDigest: digestOf(token) }) : null;
    if (!upload?.belongsTo(userId)) throw new NotFoundException();
    if (upload.isEnded(now)) throw new GoneException(new UploadProblem('upload_ended'));
    return upload;
  }

  /** As its client has sent it. */
  metadataOf(upload: PartialUpload): string {
    return this.uploadSeal.unseal(upload).metadata;
  }
}

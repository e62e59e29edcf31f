import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, Repository } from 'typeorm';
import type { ArrivedFiles } from '../../files/arrived-files.js';
import { ArrivedFilesFinder } from '../../files/arrived-files.js';
import type { ArrivedFile } from '../../files/upload.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { digestOf } from '../../platform/random/random.js';
import { AppendsService } from './appends.service.js';
import { UploadMetadata } from './tus-headers.js';
import { PartialUpload } from './upload.entity.js';
import { UploadSeal } from './upload-seal.js';
import { UploadProblem } from './uploads.problems.js';

/** Gives complete uploads to the pushes that name them, by their ids or URLs. */
@Injectable()
@ArrivedFilesFinder()
export class FinishedUploads {
  constructor(
    @InjectRepository(PartialUpload) private readonly uploads: Repository<PartialUpload>,
    private readonly unitOfWork: UnitOfWork,
    private readonly appends: AppendsService,
    private readonly uploadSeal: UploadSeal,
  ) {}

  async find(names: string[], userId: string | undefined, now: Date): Promise<ArrivedFiles> {
    const digests = names.map((name) => digestOf(tokenIn(name)));
    const found = await this.uploads.findBy({ tokenDigest: In(digests) });
    const byDigest = new Map(found.map((upload) => [upload.tokenDigest, upload]));
    const uploads = digests.map((digest) => byDigest.get(digest));
    const areUsable = uploads.every((upload) => upload && isUsable(upload, userId, now));
    if (!areUsable || byDigest.size < digests.length) throw unknown();
    const usable = uploads as PartialUpload[];
    for (const upload of usable) await this.appends.join(upload);
    return {
      files: usable.map((upload) => this.fileOf(upload)),
      takeWithin: (manager) => this.takeWithin(manager, usable, now),
    };
  }

  private fileOf(upload: PartialUpload): ArrivedFile {
    const { id, storageKey, length: size, isAgeFile, epochs } = upload;
    const { key, metadata } = this.uploadSeal.unseal(upload);
    const { filename: name, contentType } = new UploadMetadata(metadata);
    const contentKey = { key: Buffer.from(key, 'base64'), epochs };
    return { id, storageKey, name, contentType, size, isAgeFile, contentKey };
  }

  private async takeWithin(manager: EntityManager, uploads: PartialUpload[], now: Date): Promise<void> {
    const ids = { id: In(uploads.map(({ id }) => id)) };
    const rows = await this.unitOfWork.findAllForUpdate(manager, PartialUpload, ids);
    if (rows.length < uploads.length || !rows.every((row) => row.isJoined && !row.isEnded(now)))
      throw unknown();
    await manager.delete(PartialUpload, ids);
  }
}

function isUsable(upload: PartialUpload, userId: string | undefined, now: Date): boolean {
  return upload.belongsTo(userId) && upload.isComplete && !upload.isEnded(now);
}

/** The last segment of the path of a URL, or the token itself. */
function tokenIn(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function unknown(): InvalidFields {
  return new InvalidFields({ uploads: new UploadProblem('uploads_unknown') });
}

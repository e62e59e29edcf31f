import { createHash } from 'node:crypto';
import {
  ConflictException,
  HttpException,
  Injectable,
  PayloadTooLargeException,
  BadRequestException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { FileStore } from '../../files/file-store.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { CHUNK_BYTES, sealedSize } from '../../platform/sealing/chunk-seal.js';
import { MIB, SECOND_MS } from '../../platform/settings/units.js';
import type { Progress } from './append.js';
import { Append } from './append.js';
import { AppendLease } from './append-lease.js';
import type { Next, PartBody } from './part-body.js';
import type { Checksum } from './tus-headers.js';
import { PartialUpload } from './upload.entity.js';
import { UploadSeal } from './upload-seal.js';
import { UploadProblem } from './uploads.problems.js';

/** While a part arrives, what came of it is saved after so many bytes, or so long. */
const SAVE_EVERY_BYTES = 64 * MIB;
const SAVE_EVERY_MS = 10 * SECOND_MS;

const PROGRESS = { received: true, storedBytes: true, storeState: true, tail: true, isAgeFile: true };

const HTTP_CHECKSUM_MISMATCH = 460;

/** A part of an upload, as a request sends it. */
interface Part {
  /** After so many bytes. */
  offset: number;
  body: PartBody;
  checksum: Checksum | undefined;
}

/** Adds parts to uploads, one at a time to each of them. */
@Injectable()
export class AppendsService {
  constructor(
    @InjectRepository(PartialUpload) private readonly uploads: Repository<PartialUpload>,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: FileStore,
    private readonly uploadSeal: UploadSeal,
  ) {}

  /**
   * Adds a part to an upload, which then has what is stored of it. Resolves once that is durable; also if the connection
   * has broken, to how much came. A part with a checksum is added as a whole or not at all.
   * @throws HttpException
   */
  async append(upload: PartialUpload, { offset, body, checksum }: Part): Promise<void> {
    if (offset !== upload.received) throw offsetDiffers(upload);
    if (offset + (body.length ?? 0) > upload.length) throw tooLong();
    if (upload.isComplete) return;
    if (upload.isTornApart) throw new BadRequestException(new UploadProblem('upload_in_too_many_parts'));
    const most = Math.min(body.length ?? Infinity, upload.length - offset);
    body.reserve(2 * CHUNK_BYTES + Math.min(this.store.appendMemory, most));

    const lease = await this.take(upload);
    await this.whileHeld(lease, async () => {
      const append = await this.open(upload);
      try {
        await this.addAll(append, lease, { offset, body, checksum });
        await this.save(append, true, (change) => lease.record(change));
      } finally {
        await append.close();
      }
      await this.finish(upload, lease);
    });
  }

  /**
   * Makes one file of a complete upload, if a process that should have done so has ended.
   * @throws HttpException when another is doing it
   */
  async join(upload: PartialUpload): Promise<void> {
    if (upload.isJoined || !upload.isComplete) return;
    const lease = await this.take(upload);
    await this.whileHeld(lease, () => this.finish(upload, lease));
  }

  private take(upload: PartialUpload): Promise<AppendLease> {
    return AppendLease.take(this.uploads.manager.dataSource, this.unitOfWork, upload);
  }

  /** Whoever continues after an error is not made to wait, and knows that bytes may have been lost. */
  private async whileHeld(lease: AppendLease, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await lease.pause().catch(() => undefined); // lost to another, or it ends by itself
      throw error;
    } finally {
      lease.stopRenewing();
    }
  }

  /** With what is stored now: another request may have stored more since the upload was read. */
  private async open(upload: PartialUpload): Promise<Append> {
    const { id, storageKey, length } = upload;
    const current = await this.uploads.findOneOrFail({ select: PROGRESS, where: { id } });
    const { received, storedBytes: bytes, storeState: state, isAgeFile, tail } = current;
    Object.assign(upload, { received, storedBytes: bytes, storeState: state, isAgeFile });
    const key = Buffer.from(this.uploadSeal.unseal(upload).key, 'base64');
    return new Append(
      upload,
      key,
      tail,
      await this.store.append(storageKey, { bytes, state }, sealedSize(length)),
    );
  }

  private async addAll(append: Append, lease: AppendLease, { body, checksum }: Part): Promise<void> {
    const digest = checksum && createHash(checksum.algorithm);
    let savedAt = performance.now();
    let savedBytes = append.received;
    for (;;) {
      const next = await this.next(append, lease, { body, checksum });
      if (next === 'end') break;
      if (next === 'broken') {
        if (checksum) throw checksumDiffers(); // nobody receives it
        break;
      }
      if (next.length > append.remaining) throw tooLong();
      digest?.update(next);
      await append.add(next);
      const isDue =
        append.received - savedBytes >= SAVE_EVERY_BYTES || performance.now() - savedAt >= SAVE_EVERY_MS;
      if (isDue && !checksum) {
        await this.save(append, false, (change) => lease.record(change));
        savedAt = performance.now();
        savedBytes = append.received;
      }
    }
    if (digest && digest.digest('base64') !== checksum.digest) throw checksumDiffers();
  }

  /** What comes next of the body. While nothing comes, another request may continue. */
  private async next(
    append: Append,
    lease: AppendLease,
    { body, checksum }: Pick<Part, 'body' | 'checksum'>,
  ): Promise<Exclude<Next, 'silence'>> {
    const next = await body.next();
    lease.assertHeld();
    if (next !== 'silence') return next;
    if (checksum) await lease.pause();
    else await this.save(append, true, (change) => lease.pause(change));
    const later = await body.nextAfterSilence();
    await lease.resume();
    return later;
  }

  /** Releases the lease, once a complete upload is one file. */
  private async finish(upload: PartialUpload, lease: AppendLease): Promise<void> {
    const { storageKey, storeState, length } = upload;
    if (upload.isComplete && storeState !== null)
      await this.store.join(storageKey, storeState, sealedSize(length));
    await lease.release(upload.isComplete ? { storeState: null } : {});
  }

  private async save(
    append: Append,
    isAll: boolean,
    record: (progress: Progress) => Promise<void>,
  ): Promise<void> {
    const { progress, unneeded } = await append.save(isAll);
    await record(progress);
    await Promise.allSettled(unneeded.map((key) => this.store.remove(key))); // the orphan sweep removes others
  }
}

function offsetDiffers({ received: offset }: PartialUpload): ConflictException {
  return new ConflictException(new UploadProblem('upload_offset_differs', { offset }));
}

function tooLong(): PayloadTooLargeException {
  return new PayloadTooLargeException(new UploadProblem('upload_too_long'));
}

function checksumDiffers(): HttpException {
  return new HttpException(new UploadProblem('upload_checksum_differs'), HTTP_CHECKSUM_MISMATCH);
}

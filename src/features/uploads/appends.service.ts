import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  ConflictException,
  HttpException,
  Injectable,
  PayloadTooLargeException,
  BadRequestException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { StoredFile } from '../../files/file.entity.js';
import { FileStore, StoreUnavailable } from '../../files/file-store.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { CHUNK_BYTES, sealedSize } from '../../platform/sealing/chunk-seal.js';
import { MIB, SECOND_MS } from '../../platform/settings/units.js';
import type { Progress } from './append.js';
import { Append } from './append.js';
import { AppendLease, locked } from './append-lease.js';
import type { Next, PartBody } from './part-body.js';
import type { Checksum } from './tus-headers.js';
import { ENDED, PartialUpload } from './upload.entity.js';
import { tooLittleSpace } from './upload-limits.js';
import { UploadSeal } from './upload-seal.js';
import { UploadProblem } from './uploads.problems.js';

/** While a part arrives, what came of it is saved after so many bytes, or so long. */
const SAVE_EVERY_BYTES = 64 * MIB;
const SAVE_EVERY_MS = 10 * SECOND_MS;

/** What a part keeps in memory while nothing of it arrives: a chunk that is not complete, and the next bytes. */
const KEPT_BYTES = 2 * CHUNK_BYTES;

/** How long a push waits for an upload that another request is making one file. */
const JOIN_WAIT_MS = 5 * SECOND_MS;
const JOIN_PAUSE_MS = SECOND_MS / 10;

const HTTP_CHECKSUM_MISMATCH = 460;

/** A part of an upload, as a request sends it. */
interface Part {
  /** After so many bytes. */
  offset: number;
  body: PartBody;
  checksum: Checksum | undefined;
}

/** An upload to which a part is being added. */
interface Appended {
  upload: PartialUpload;
  append: Append;
  lease: AppendLease;
  /** Bytes that adding takes. */
  memory: number;
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
    const memory = KEPT_BYTES + Math.min(this.store.appendMemory, most);
    await body.reserve(memory);

    const lease = await this.take(upload);
    if (!lease) throw locked();
    try {
      await this.whileHeld(upload, lease, async () => {
        const append = await this.open(upload);
        const appended = { upload, append, lease, memory };
        try {
          await this.addAll(appended, { offset, body, checksum });
          await this.save(appended, true, (change) => lease.record(change));
        } finally {
          await append.close();
        }
        await this.finish(upload, lease);
      });
    } catch (error) {
      throw error instanceof StoreUnavailable && error.isFull ? tooLittleSpace() : error;
    }
  }

  /**
   * Makes one file of a complete upload, if a process that should have done so has ended. Waits a little for one that is
   * doing it.
   * @throws ServiceUnavailableException when that takes longer
   */
  async join(upload: PartialUpload): Promise<void> {
    for (let waited = 0; upload.isComplete && !upload.isJoined; waited += JOIN_PAUSE_MS) {
      const lease = await this.take(upload);
      if (lease) return this.whileHeld(upload, lease, () => this.finish(upload, lease));
      if (waited >= JOIN_WAIT_MS)
        throw new ServiceUnavailableException(new UploadProblem('upload_not_joined'));
      await setTimeout(JOIN_PAUSE_MS);
      const current = await this.uploads.findOneBy({ id: upload.id });
      if (!current) return; // another push has taken it, which is found out when this one does
      Object.assign(upload, current);
    }
  }

  private take(upload: PartialUpload): Promise<AppendLease | undefined> {
    return AppendLease.take(this.uploads.manager.dataSource, this.unitOfWork, upload);
  }

  /** Whoever continues after an error is not made to wait, and knows that bytes may have been lost. */
  private async whileHeld(
    upload: PartialUpload,
    lease: AppendLease,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      await lease
        .pause()
        .catch(() => this.discardIfEnded(upload)) // lost to another, or it ends by itself
        .catch(() => undefined); // the orphan sweep removes it
      throw error;
    } finally {
      lease.stopRenewing();
    }
  }

  /** Removes what was stored while the upload was ended: who ended it has removed what was stored before. */
  private async discardIfEnded({ id, storageKey, storeState }: PartialUpload): Promise<void> {
    const current = await this.uploads.findOne({ select: { id: true, appender: true }, where: { id } });
    const isEnded = current
      ? current.appender === ENDED
      : !(await this.uploads.manager.existsBy(StoredFile, { storageKey }));
    if (isEnded) await this.store.discard(storageKey, storeState);
  }

  private async open(upload: PartialUpload): Promise<Append> {
    const { id, storageKey, length, storedBytes: bytes, storeState: state } = upload;
    const { tail } = await this.uploads.findOneOrFail({ select: { id: true, tail: true }, where: { id } });
    const key = Buffer.from(this.uploadSeal.unseal(upload).key, 'base64');
    const appending = await this.store.append(storageKey, { bytes, state }, sealedSize(length));
    return new Append(upload, key, tail, appending);
  }

  private async addAll(appended: Appended, { body, checksum }: Part): Promise<void> {
    const { append, lease } = appended;
    const digest = checksum && createHash(checksum.algorithm);
    let savedAt = performance.now();
    let savedBytes = append.received;
    for (;;) {
      const next = await this.next(appended, { body, checksum });
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
        await this.save(appended, false, (change) => lease.record(change));
        savedAt = performance.now();
        savedBytes = append.received;
      }
    }
    if (digest && digest.digest('base64') !== checksum.digest) throw checksumDiffers();
  }

  /** What comes next of the body. While it pauses, another request may continue, and others have its memory. */
  private async next(
    appended: Appended,
    { body, checksum }: Pick<Part, 'body' | 'checksum'>,
  ): Promise<Exclude<Next, 'pause'>> {
    const { append, lease, memory } = appended;
    const next = await body.next();
    lease.assertHeld();
    if (next !== 'pause') return next;
    if (checksum) {
      await append.flush();
      await lease.pause();
    } else await this.save(appended, true, (change) => lease.pause(change));
    await body.reserve(KEPT_BYTES);
    const later = await body.nextAfterPause();
    if (Buffer.isBuffer(later)) await body.reserve(memory);
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
    { upload, append }: Appended,
    isAll: boolean,
    record: (progress: Progress) => Promise<void>,
  ): Promise<void> {
    const saved = await append.save(isAll);
    if (!saved) return;
    const { progress, unneeded } = saved;
    upload.storeState = progress.storeState; // before it is recorded: see discardIfEnded
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

import type { Readable } from 'node:stream';
import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { FileReceiver } from '../platform/http/body/file-receiver.js';
import { cleanContentType, cleanFileName } from '../shared/file-name.js';
import type { FileRules } from './file-rules.js';
import { InvalidFields } from '../platform/http/validation/validation.pipe.js';
import type { Upload } from './upload.js';
import { TooManyRequests } from '../platform/http/errors/too-many-requests.js';
import { DailyQuota, untilNextDay } from '../auth/quotas/daily-quota.js';
import { Problem } from '../platform/errors/problem.js';

/** Whether files may be attached, and how much. */
export interface UploadAllowance {
  /** Throws when they may not: called before the first byte of a file is read. */
  assertAllowed(): void;
  /** Bytes that may be sent. */
  readonly remaining: number;
  /** The error when more are sent. */
  exceededError(): HttpException;
}

/** Stores the files of a form, if any may be attached. */
export class UploadReceiver implements FileReceiver {
  readonly maxFiles: number;
  readonly maxBytesInFile: number;
  readonly maxBytes: number;

  /**
   * @param fields matches the names of fields whose files are accepted
   * @param rejectsAtFirstFile see FileReceiver
   * @param mustBeAgeFiles called when the first bytes of a file have arrived
   */
  constructor(
    private readonly upload: Upload,
    private readonly rules: FileRules,
    private readonly allowance: UploadAllowance,
    private readonly fields: RegExp,
    readonly rejectsAtFirstFile: boolean,
    private readonly mustBeAgeFiles: () => boolean,
  ) {
    this.maxFiles = rules.maxFiles;
    this.maxBytesInFile = rules.maxBytesReceivedInFile;
    this.maxBytes = Math.min(rules.maxBytesReceived, allowance.remaining);
  }

  get size(): number {
    return this.upload.size;
  }

  accepts(field: string): boolean {
    if (!this.fields.test(field)) return false;
    this.allowance.assertAllowed();
    if (this.allowance.remaining === 0) throw this.allowance.exceededError();
    if (this.upload.files.length >= this.rules.maxFiles)
      throw new InvalidFields({ files: this.rules.tooManyFiles });
    return true;
  }

  take(name: string, contentType: string, content: Readable): Promise<void> {
    return this.upload.add(cleanFileName(name), cleanContentType(contentType), content, this.mustBeAgeFiles);
  }

  tooLargeError(tooLarge: 'file' | 'all'): HttpException {
    try {
      this.allowance.assertAllowed();
      if (tooLarge === 'all' && this.maxBytes < this.rules.maxBytesReceived)
        return this.allowance.exceededError();
      return new InvalidFields({
        files: tooLarge === 'file' ? this.rules.fileTooLarge : this.rules.pushTooLarge,
      });
    } catch (error) {
      return error as HttpException;
    }
  }

  error(): Promise<Error | undefined> {
    return this.upload.storeError();
  }
}

/** The bytes of the files of all pushes that an account creates in a day, including those that have ended. */
@Injectable()
export class UploadQuota extends DailyQuota {
  protected readonly column = 'bytes';
  protected readonly max = this.settings.UPLOAD_BYTES_PER_DAY;

  exceededError(now = new Date()): TooManyRequests {
    const problem = new Problem('upload_quota_exceeded', { bytes: this.max });
    return new TooManyRequests('requests', problem, untilNextDay(now));
  }
}

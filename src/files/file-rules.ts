import { Injectable, UnauthorizedException } from '@nestjs/common';
import { decryptedFileSize, encryptedFileSize } from '../shared/age-size.js';
import { InvalidFields } from '../platform/http/validation/validation.pipe.js';
import { Settings } from '../platform/settings/settings.js';
import { Problem } from '../platform/errors/problem.js';
import { contributedMethod, Contributions } from '../platform/contributions/contributions.js';

/** How pages send large files before the form that they belong to. */
export interface PageUploads {
  /** The path where an upload is begun. */
  path: string;
  /** Bytes of a part. */
  partBytes: number;
}

/** On the method that says how. */
export const UploadsOfPages = contributedMethod<() => PageUploads>();

/** The limits of this instance for files. */
@Injectable()
export class FileRules {
  readonly maxFiles: number;
  readonly maxBytesInFile: number;
  readonly maxBytesInPush: number;
  readonly isEnabled: boolean;

  constructor(
    private readonly settings: Settings,
    private readonly contributions: Contributions,
  ) {
    this.maxFiles = settings.MAX_FILES;
    this.maxBytesInFile = settings.MAX_FILE_SIZE;
    this.maxBytesInPush = settings.MAX_PUSH_SIZE;
    this.isEnabled = settings.ENABLE_FILE_PUSHES;
  }

  /**
   * Checks whether this visitor may attach files; called before the first byte of a file is read.
   * @throws InvalidFields when file pushes are disabled
   * @throws UnauthorizedException when a token is required and there is none
   */
  assertAllowed(isAuthenticated: boolean): void {
    if (!this.isEnabled) throw new InvalidFields({ files: new Problem('files_disabled') });
    if (this.needSignIn(isAuthenticated)) throw new UnauthorizedException(new Problem('files_need_token'));
  }

  /** Whether this visitor may attach files only after signing in. */
  needSignIn(isAuthenticated: boolean): boolean {
    return this.settings.FILES_REQUIRE_AUTHENTICATION && !isAuthenticated;
  }

  /**
   * What is wrong with the number and sizes of files; undefined when nothing is. Sizes of files that their client has
   * encrypted are those before that.
   */
  error(received: number[], areEncrypted = false): Problem | undefined {
    const sizes = areEncrypted ? received.map(decryptedFileSize) : received;
    if (sizes.length > this.maxFiles) return this.tooManyFiles;
    if (sizes.some((size) => size > this.maxBytesInFile)) return this.fileTooLarge;
    if (sizes.reduce((sum, size) => sum + size, 0) > this.maxBytesInPush) return this.pushTooLarge;
    return undefined;
  }

  /** Undefined if forms send all of their files themselves. */
  get pageUploads(): PageUploads | undefined {
    return this.contributions.all(UploadsOfPages)[0]?.();
  }

  /** Bytes of a file that may arrive: what its client has encrypted is larger than the file itself. */
  get maxBytesReceivedInFile(): number {
    return encryptedFileSize(this.maxBytesInFile);
  }

  /** The same for all files together. */
  get maxBytesReceived(): number {
    return encryptedFileSize(this.maxBytesInPush) + this.maxFiles * encryptedFileSize(0);
  }

  get tooManyFiles(): Problem {
    return new Problem('too_many_files', { count: this.maxFiles });
  }

  get fileTooLarge(): Problem {
    return new Problem('file_too_large', { bytes: this.maxBytesInFile });
  }

  get pushTooLarge(): Problem {
    return new Problem('files_too_large', { bytes: this.maxBytesInPush });
  }
}

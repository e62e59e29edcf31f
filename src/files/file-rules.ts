import { Injectable, UnauthorizedException, UnprocessableEntityException } from '@nestjs/common';
import { Settings } from '../settings/settings.js';

/** The limits of this instance for files. */
@Injectable()
export class FileRules {
  readonly mostFiles: number;
  readonly mostBytesInFile: number;
  readonly mostBytesInPush: number;
  readonly isEnabled: boolean;

  constructor(private readonly settings: Settings) {
    this.mostFiles = settings.MAX_FILES;
    this.mostBytesInFile = settings.MAX_FILE_SIZE;
    this.mostBytesInPush = settings.MAX_PUSH_SIZE;
    this.isEnabled = settings.ENABLE_FILE_PUSHES;
  }

  /**
   * Checks whether this visitor may attach files; called before the first byte of a file is read.
   * @throws UnprocessableEntityException when file pushes are disabled
   * @throws UnauthorizedException when a token is required and there is none
   */
  assertAllowed(isAuthenticated: boolean): void {
    if (!this.isEnabled) throw unprocessable('cannot be attached: file pushes are disabled here');
    if (this.settings.FILES_REQUIRE_AUTHENTICATION && !isAuthenticated) {
      throw new UnauthorizedException('Attaching files needs a valid API token.');
    }
  }

  /** What is wrong with the number and sizes of files; undefined when nothing is. */
  fault(sizes: number[]): string | undefined {
    if (sizes.length > this.mostFiles) return this.tooManyFiles;
    if (sizes.some((size) => size > this.mostBytesInFile)) return this.fileTooLarge;
    if (sizes.reduce((sum, size) => sum + size, 0) > this.mostBytesInPush) return this.pushTooLarge;
    return undefined;
  }

  get tooManyFiles(): string {
    return `must be at most ${this.mostFiles} files`;
  }

  get fileTooLarge(): string {
    return `must have at most ${this.mostBytesInFile} bytes each`;
  }

  get pushTooLarge(): string {
    return `must have at most ${this.mostBytesInPush} bytes in all`;
  }
}

/** A 422 for the field `files`. */
export function unprocessable(message: string): UnprocessableEntityException {
  return new UnprocessableEntityException({ files: [message] });
}

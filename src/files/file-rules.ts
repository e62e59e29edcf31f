import { Injectable, UnauthorizedException, UnprocessableEntityException } from '@nestjs/common';
import { Settings } from '../settings/settings.js';

/** What this instance allows of files. */
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
   * Whether this visitor may attach files at all; asked before the first byte of one is taken.
   * @throws UnprocessableEntityException when nobody may
   * @throws UnauthorizedException when a token is needed and there is none
   */
  assertAllowed(isAuthenticated: boolean): void {
    if (!this.isEnabled) throw refusal('cannot be attached: file pushes are disabled here');
    if (this.settings.FILES_REQUIRE_AUTHENTICATION && !isAuthenticated) {
      throw new UnauthorizedException('Attaching files needs a valid API token.');
    }
  }

  /** What is wrong with so many files of these sizes. */
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

/** A 422 on `files`. */
export function refusal(message: string): UnprocessableEntityException {
  return new UnprocessableEntityException({ files: [message] });
}

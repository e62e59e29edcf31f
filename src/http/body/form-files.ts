import type { Readable } from 'node:stream';
import type { HttpException } from '@nestjs/common';

/** Takes the files of a multipart form as they arrive. */
export interface FormFiles {
  /** Files that it takes at most. */
  readonly mostFiles: number;
  /** Bytes in one file, at most. */
  readonly mostBytesInFile: number;
  /** Bytes in all files, at most. */
  readonly mostBytes: number;
  /** Bytes taken so far. */
  readonly size: number;

  /**
   * Whether a file in this field is wanted, rather than passed over.
   * @throws HttpException when the form is to be refused for it
   */
  accepts(field: string): boolean;

  /**
   * Takes a file in. A form has been read when all its files have been taken.
   * @throws HttpException when the form is to be refused
   */
  take(name: string, contentType: string, content: Readable): Promise<void>;

  /** Why a form is refused of which one file, or all together, are too large. */
  refusalOf(tooLarge: 'file' | 'all'): HttpException;

  /** Why a file could not be kept, once it is known of all. */
  fault(): Promise<Error | undefined>;
}

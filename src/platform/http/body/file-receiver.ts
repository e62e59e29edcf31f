import type { Readable } from 'node:stream';
import type { HttpException } from '@nestjs/common';
import { PayloadTooLargeException } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';

/** Receives the files of a multipart form as they arrive. */
export interface FileReceiver {
  readonly maxFiles: number;
  readonly maxBytesInFile: number;
  /** Maximum size of all files together. */
  readonly maxBytes: number;
  /** Whether a body that is too long is rejected only at its first file, so that the fields before it are known. */
  readonly rejectsAtFirstFile: boolean;
  /** Bytes received so far. */
  readonly size: number;

  /**
   * Whether to receive a file in this field, rather than skip it.
   * @throws HttpException when the form must be rejected because of it
   */
  accepts(field: string): boolean;

  /**
   * Receives a file. The form has been read when this has resolved for each of its files.
   * @throws HttpException when the form must be rejected
   */
  take(name: string, contentType: string, content: Readable): Promise<void>;

  /** The error for a form in which one file, or all files together, are too large. */
  tooLargeError(tooLarge: 'file' | 'all'): HttpException;

  /** Resolves when storing all files has ended, to the reason why one could not be stored. */
  error(): Promise<Error | undefined>;
}

/** For a form without files: those in it are skipped or, with an error, rejected. */
export function noFiles(rejection?: () => HttpException): FileReceiver {
  return {
    maxFiles: 0,
    maxBytesInFile: 0,
    maxBytes: 0,
    rejectsAtFirstFile: rejection !== undefined,
    size: 0,
    accepts: () => {
      if (rejection) throw rejection();
      return false;
    },
    take: () => Promise.resolve(),
    tooLargeError: rejection ?? (() => new PayloadTooLargeException(new Problem('body_too_large'))),
    error: () => Promise.resolve(undefined),
  };
}

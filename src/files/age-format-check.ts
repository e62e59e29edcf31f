import type { TransformCallback } from 'node:stream';
import { Transform } from 'node:stream';
import { AGE_HEADER_BYTES, AGE_REQUIREMENT, beginsWithAgeHeader } from './age-header.js';
import { InvalidFields } from '../platform/http/validation/validation.pipe.js';
import { Problem } from '../platform/errors/problem.js';

const NOTHING = Buffer.alloc(0);

export const NOT_AGE_FILES = new Problem('files_not_encrypted', { requirement: AGE_REQUIREMENT });

/**
 * Passes a file on, and finds out by its first bytes whether it is an age file. Fails when it must be one and is not.
 */
export class AgeFormatCheck extends Transform {
  private beginning = NOTHING;
  /** Undefined until its header would have arrived. */
  isAgeFile?: boolean;

  /** @param isRequired called once, when that is the case */
  constructor(private readonly isRequired: () => boolean) {
    super();
  }

  override _transform(part: Buffer, _encoding: string, done: TransformCallback): void {
    done(this.errorAfter(part, AGE_HEADER_BYTES), part);
  }

  override _flush(done: TransformCallback): void {
    done(this.errorAfter(NOTHING, 0));
  }

  private errorAfter(part: Buffer, bytesNeeded: number): Error | null {
    if (this.isAgeFile !== undefined) return null;
    const missing = AGE_HEADER_BYTES - this.beginning.length;
    this.beginning = Buffer.concat([this.beginning, part.subarray(0, missing)]);
    if (this.beginning.length < bytesNeeded) return null;

    this.isAgeFile = beginsWithAgeHeader(this.beginning);
    return this.isAgeFile || !this.isRequired() ? null : new InvalidFields({ files: NOT_AGE_FILES });
  }
}

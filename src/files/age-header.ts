import type { TransformCallback } from 'node:stream';
import { Transform } from 'node:stream';
import { InvalidFields } from '../platform/http/validation/validation.pipe.js';
import { Problem } from '../platform/errors/problem.js';

/** Limits how long a recipient's device, and so a browser, is occupied by one file: 2^20 takes seconds and 1 GiB. */
const MAX_LOG_N = 20;

/** Maximum length of an accepted header, in bytes. */
export const AGE_HEADER_BYTES = 150;

/** 16 and 32 bytes in canonical base64 without padding. */
const SALT = '[A-Za-z0-9+/]{21}[AQgw]';
const BODY = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]';

const HEADER = new RegExp(
  `^age-encryption\\.org/v1\\n-> scrypt ${SALT} ([1-9][0-9]?)\\n${BODY}\\n--- ${BODY}\\n`,
);

export const AGE_REQUIREMENT = `with one scrypt stanza of work factor at most ${MAX_LOG_N}`;

/**
 * Whether bytes begin with the header of an age file that a passphrase opens (https://c2sp.org/age): version, exactly
 * one scrypt stanza, MAC. Such a header can only have 149 or 150 bytes, so no more are read.
 */
export function beginsWithAgeHeader(bytes: Buffer): boolean {
  const logN = HEADER.exec(bytes.toString('latin1', 0, AGE_HEADER_BYTES))?.[1];
  return logN !== undefined && Number(logN) <= MAX_LOG_N;
}

export const RECIPIENT_REQUIREMENT = 'for the recipient of the request';

/**
 * Whether bytes begin like an age file that an identity opens: its first stanza is not one of a passphrase. Whose
 * identity that is cannot be seen.
 */
export function beginsWithRecipientStanza(bytes: Buffer): boolean {
  return /^age-encryption\.org\/v1\n-> (?!scrypt )[!-~]+ [!-~]/.test(
    bytes.toString('latin1', 0, AGE_HEADER_BYTES),
  );
}

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

import { hash, randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const POOL_BYTES = 8192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Bytes of the system's secure generator, fetched many at a time: asking costs more than the bytes themselves.
 * Each is given out once, and is not kept here afterwards.
 */
export function secureRandom(size: number): Buffer {
  if (size > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} bytes at once`);
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + size));
  pool.fill(0, used, used + size);
  used += size;
  return bytes;
}

let lastMoment = 0;
let sequence = 0;

/**
 * A UUID of version 7 (RFC 9562, sections 5.7 and 6.2): of those that one process makes, a later one sorts behind an
 * earlier one, also within a millisecond and when the clock is set back.
 */
export function newId(now = Date.now()): string {
  const random = secureRandom(16);
  if (now > lastMoment) {
    lastMoment = now;
    sequence = random.readUInt32BE() >>> 1; // of 32 bits, so that there is room to count up
  } else {
    sequence += 1;
  }
  return uuidv7({ msecs: lastMoment, seq: sequence, random });
}

const TOKEN_BYTES = 32;

/** 256 random bits in base64url: 43 characters. */
export function newToken(): string {
  return secureRandom(TOKEN_BYTES).toString('base64url');
}

/** What is stored and looked up of a token. Plain SHA-256 is enough: a token is too long to be guessed. */
export function digestOf(token: string): string {
  return hash('sha256', token);
}

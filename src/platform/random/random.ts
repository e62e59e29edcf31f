import { randomFillSync, hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const POOL_BYTES = 8192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Bytes from the system's secure random generator, fetched many at a time, because a call costs more than the bytes.
 * Each byte is returned once and then erased from the pool.
 */
export function secureRandom(size: number): Buffer {
  if (size > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} bytes at once`);
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.allocUnsafe(size);
  pool.copy(bytes, 0, used, used + size);
  pool.fill(0, used, used + size);
  used += size;
  return bytes;
}

let lastTime = 0;
let sequence = 0;

/**
 * A UUID of version 7 (RFC 9562, sections 5.7 and 6.2). The ids from one process sort in the order in which they were
 * generated, even within a millisecond and when the clock is set back.
 */
export function newId(now = Date.now()): string {
  const random = secureRandom(16);
  if (now > lastTime) {
    lastTime = now;
    sequence = random.readUInt32BE() >>> 1; // half of the 32-bit range, so that it can be incremented without overflow
  } else {
    sequence += 1;
  }
  return uuidv7({ msecs: lastTime, seq: sequence, random });
}

/**
 * An id for what happened at an earlier time: it sorts as if it had been made then.
 * @param order of what happened in the same millisecond
 */
export function idAt(time: Date, order: number): string {
  return uuidv7({ msecs: Math.max(0, time.getTime()), seq: order % 2 ** 31, random: secureRandom(16) });
}

/** Sorts before all ids that are made from this time on, unless the clock is set back: ids begin with 48 bits of time. */
export function idBefore(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const TOKEN_BYTES = 32;

/** 256 random bits in base64url: 43 characters. */
export function newToken(): string {
  return secureRandom(TOKEN_BYTES).toString('base64url');
}

/**
 * The SHA-256 digest of a text, in hex, by which it is stored or looked up. It hides a token, which is too long to be
 * guessed; a shorter text, such as an address, can be found by trying.
 */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

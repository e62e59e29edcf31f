import { v7 as uuidv7 } from 'uuid';
import { secureRandom } from './random.js';

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

import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { hasMoreCodePointsThan } from '../../platform/http/validation/text-error.js';
import { ARGON2_COST, HashingQueues } from '../../platform/limits/hashing-queues.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';

/** Four times the longest password: one character may be several code points before NFC. */
const MAX_CODE_POINTS = 512;

/** The hash to verify when there is none, so that this takes as long. Its random password was discarded. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Ip1QihoIwBV0Uaf+OHDzeQ$mgO1pbOPVjSBY2brZw5izvu2P0LlcSsMUPG9LTqlw7I';

/** The cost of bcrypt in the service that hashes are imported from, and the highest that is accepted. */
const BCRYPT_COST = 12;
/** Of a password; the others do not count. */
const BCRYPT_BYTES = 72;
const DUMMY_BCRYPT_REST = '$Ip1QihoIwBV0UafOHDzeQumgO1pbOPVjSBY2brZw5izvu2P0LlcSu';

/** Between these are the hashes of bcrypt, and no others. */
export const BCRYPT_HASHES: [from: string, to: string] = ['$2', '$3'];

/**
 * Hashes account passwords with argon2id (RFC 9106) in Unicode NFC, so that the composed form does not matter. Hashes of
 * bcrypt, which were imported, can be verified too.
 */
@Injectable()
export class PasswordHashes {
  constructor(private readonly queues: HashingQueues) {}

  /** The hash to store for a password whose length has been checked. */
  hash(password: string, client: QueuedClient, purpose: 'sign-up' | 'sign-in' = 'sign-up'): Promise<string> {
    return this.queues.run(purpose, client, () => hash(password.normalize('NFC'), ARGON2_COST));
  }

  /**
   * Whether the password is right. One that is longer than any valid password is wrong without being hashed.
   * @param stored null when there is none: then no password is right, and this takes as long
   * @param isBcryptInUse whether accounts have hashes of bcrypt: then this takes the time of both kinds of hash whatever
   *   the stored one is, so that the time does not show which one it is
   */
  async verify(
    stored: string | null,
    password: string,
    client: QueuedClient,
    isBcryptInUse = false,
  ): Promise<boolean> {
    if (hasMoreCodePointsThan(MAX_CODE_POINTS, password)) return false;
    return this.queues.run('sign-in', client, async () => {
      const bcryptHash = stored !== null && isBcrypt(stored) ? stored : undefined;
      const argon2Hash = bcryptHash === undefined ? stored : null;
      const isRight = await verify(argon2Hash ?? DUMMY_HASH, password.normalize('NFC'));
      const isRightForBcrypt =
        (isBcryptInUse || bcryptHash !== undefined) && (await verifyAtFullCost(bcryptHash, password));
      return (argon2Hash !== null && isRight) || (bcryptHash !== undefined && isRightForBcrypt);
    });
  }
}

export function isBcrypt(stored: string): boolean {
  return stored.startsWith('$2');
}

/** Whether a hash of bcrypt is of this whole password. Others have the same hash when it is longer than 72 bytes. */
export function isWholeForBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= BCRYPT_BYTES;
}

/** Whether a hash of bcrypt is well-formed and does not cost more than others. */
export function isAcceptableBcrypt(stored: string): boolean {
  return (
    /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(stored) && costOf(stored) >= 4 && costOf(stored) <= BCRYPT_COST
  );
}

/** Takes the time of `BCRYPT_COST` for a hash of a lower cost too. Each step of the cost doubles the time. */
async function verifyAtFullCost(stored: string | undefined, password: string): Promise<boolean> {
  if (stored === undefined) return verifyBcrypt(password, dummyOf(BCRYPT_COST));
  const isRight = await verifyBcrypt(password, stored);
  for (let cost = costOf(stored); cost < BCRYPT_COST; cost++) await verifyBcrypt(password, dummyOf(cost));
  return isRight;
}

function costOf(stored: string): number {
  return Number(stored.slice(4, 6));
}

function dummyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}${DUMMY_BCRYPT_REST}`;
}

import type { KeyObject } from 'node:crypto';
import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashRaw } from '@node-rs/argon2';
import { hasMoreCodePointsThan } from '../../platform/http/validation/text-error.js';
import { secureRandom } from '../../platform/random/random.js';
import { ARGON2_COST, HashingQueues } from '../../platform/limits/hashing-queues.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';

const SALT_BYTES = 16;
/** Four times the limit at creation: one character may be several code points before NFC. */
const MAX_CODE_POINTS = 1020;

/** Passphrases of pushes, hashed with argon2id (RFC 9106). */
@Injectable()
export class Passphrases {
  constructor(private readonly queues: HashingQueues) {}

  newSalt(): Buffer {
    return secureRandom(SALT_BYTES);
  }

  /** Whether it is too long to be any push's passphrase. Checked first, because normalizing a long text is slow. */
  isTooLong(passphrase: string): boolean {
    return hasMoreCodePointsThan(MAX_CODE_POINTS, passphrase);
  }

  /**
   * The key derived from a passphrase, the same for composed and decomposed characters (Unicode NFC).
   */
  async deriveKey(
    passphrase: string,
    salt: Buffer,
    purpose: 'creation' | 'retrieval',
    client: QueuedClient,
  ): Promise<KeyObject> {
    const text = passphrase.normalize('NFC');
    const raw = await this.queues.run(purpose, client, () => hashRaw(text, { ...ARGON2_COST, salt }));
    return createSecretKey(raw);
  }
}

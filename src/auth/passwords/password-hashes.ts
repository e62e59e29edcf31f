import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { hasMoreCodePointsThan } from '../../platform/http/validation/code-points.js';
import { ARGON2_COST, HashingQueues } from '../../platform/throttling/hashing-queues.js';
import type { QueuedClient } from '../../platform/throttling/fair-queue.js';

/** Four times the longest password: one character may be several code points before NFC. */
const MAX_CODE_POINTS = 512;

/** Hashes account passwords with argon2id (RFC 9106) in Unicode NFC, so that the composed form does not matter. */
@Injectable()
export class PasswordHashes {
  constructor(private readonly queues: HashingQueues) {}

  /** The hash to store for a password whose length has been checked. */
  hash(password: string, client: QueuedClient): Promise<string> {
    return this.queues.run('sign-up', client, () => hash(password.normalize('NFC'), ARGON2_COST));
  }

  /** Whether the password is right. One that is longer than any valid password is wrong without being hashed. */
  async verify(stored: string, password: string, client: QueuedClient): Promise<boolean> {
    if (hasMoreCodePointsThan(MAX_CODE_POINTS, password)) return false;
    return this.queues.run('sign-in', client, () => verify(stored, password.normalize('NFC')));
  }
}

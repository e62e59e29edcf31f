import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { hasMoreCodePointsThan } from '../http/code-points.js';
import { ARGON2_COST } from '../sealing/argon2-cost.js';
import { HashingQueues } from '../sealing/hashing-queues.js';

/** Four times what a password may have: one character may be several code points before NFC. */
const MOST_CODE_POINTS = 512;

/** Passwords of accounts, hashed by argon2id (RFC 9106), the same however their characters were composed (NFC). */
@Injectable()
export class PasswordHashes {
  constructor(private readonly queues: HashingQueues) {}

  /**
   * What to store of a password whose length has been checked.
   * @param address of the client
   */
  hash(password: string, address: string): Promise<string> {
    return this.queues.run('sign-up', address, () => hash(password.normalize('NFC'), ARGON2_COST));
  }

  /**
   * Whether it is the password. One that is too long for any is wrong without being looked at.
   * @param address of the client
   */
  async verify(stored: string, password: string, address: string): Promise<boolean> {
    if (hasMoreCodePointsThan(MOST_CODE_POINTS, password)) return false;
    return this.queues.run('sign-in', address, () => verify(stored, password.normalize('NFC')));
  }
}

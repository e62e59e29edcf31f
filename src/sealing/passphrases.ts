import type { KeyObject } from 'node:crypto';
import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { secureRandom } from '../common/random.js';
import { BoundedQueue } from './bounded-queue.js';

/** OWASP's Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const MOST_HASHING = 2;
const MOST_WAITING = 100;

/** What people type, hashed by argon2id (RFC 9106), a few at a time so that other requests are not starved. */
@Injectable()
export class Passphrases {
  private readonly queue = new BoundedQueue(MOST_HASHING, MOST_WAITING);

  newSalt(): Buffer {
    return secureRandom(SALT_BYTES);
  }

  /** The key that a passphrase stands for, the same however its characters were composed (Unicode NFC). */
  async deriveKey(passphrase: string, salt: Buffer): Promise<KeyObject> {
    const raw = await this.queue.run(() => hashRaw(passphrase.normalize('NFC'), { ...COST, salt }));
    return createSecretKey(raw);
  }

  /** What to store of an account's password. */
  hashPassword(password: string): Promise<string> {
    return this.queue.run(() => hash(password.normalize('NFC'), COST));
  }

  verifyPassword(stored: string, password: string): Promise<boolean> {
    return this.queue.run(() => verify(stored, password.normalize('NFC')));
  }
}

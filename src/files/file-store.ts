import type { Readable } from 'node:stream';
import { ServiceUnavailableException } from '@nestjs/common';
import type { ByteRange } from '../sealing/chunk-streams.js';

/** Sealed bytes in the store, and since when. */
export interface StoredBytes {
  key: string;
  modifiedAt: Date;
}

/** The form of our keys. Whatever else lies in a store is not ours, and left alone. */
const KEY = /^[0-9a-f]{48}$/;

export function isStorageKey(name: string): boolean {
  return KEY.test(name);
}

/** Where the sealed bytes of files lie. It never sees a plain byte or a name. */
export abstract class FileStore {
  /**
   * Keeps all that `bytes` gives, for good, before it resolves. What it began and could not finish it removes.
   * @throws StoreUnavailable when the store is at fault; else with the source's own error
   */
  abstract put(key: string, bytes: Readable): Promise<void>;

  /** @throws StoreUnavailable also when there is nothing under the key */
  abstract read(key: string, range: ByteRange): Promise<Readable>;

  /** Removes what is there, if anything is. */
  abstract remove(key: string): Promise<void>;

  /** All that is there of ours. */
  abstract list(): AsyncIterable<StoredBytes>;

  /** Gives up what was begun before `since` and never finished, where a store keeps such things apart. */
  abstract abandonUnfinished(since: Date): Promise<void>;

  /** Copies all that is there to a new folder, and tells how many; absent where that is for others to do. */
  copyTo?(folder: string): Promise<number>;

  /** Looks whether the store would take something; rejects when not. */
  probe(): Promise<void> {
    return Promise.resolve();
  }
}

/** The store is full, out of reach, or has lost something. */
export class StoreUnavailable extends ServiceUnavailableException {
  constructor(cause: unknown) {
    super('Files cannot be stored or read at the moment. Try again later.', { cause });
  }
}

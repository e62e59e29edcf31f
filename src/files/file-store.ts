import type { Readable } from 'node:stream';
import { ServiceUnavailableException } from '@nestjs/common';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import { Problem } from '../platform/errors/problem.js';

/** Size of a disk in bytes: in total, and available to this process. */
export interface DiskSpace {
  total: number;
  free: number;
}

/** With how much of it uploads leave free. */
export interface ReservedDiskSpace extends DiskSpace {
  reserve: number;
}

/** A sealed file in the store, and when it was written. */
export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** Names the installation that a store belongs to, among its files. */
export const INSTALLATION_ID_NAME = 'sealpush-installation-id';

/** What stands for an id that is too long to be one. */
export const NO_INSTALLATION_ID = '';

/** An id has 36 bytes. */
export const MAX_INSTALLATION_ID_BYTES = 100;

/** The format of our keys. Anything else in a store is not ours, and left alone. */
const KEY = /^[0-9a-f]{48}$/;

export function isStorageKey(name: string): boolean {
  return KEY.test(name);
}

/** Stores the sealed bytes of files. It never sees plaintext or file names. */
export abstract class FileStore {
  /** Where it is, for the operator. */
  abstract readonly place: string;

  /**
   * Resolves once all of `bytes` is stored durably. Removes what it has written if it cannot finish.
   * @throws StoreUnavailable when the store fails; an error of the source is rethrown as it is
   */
  abstract put(key: string, bytes: Readable): Promise<void>;

  /** @throws StoreUnavailable also when the key does not exist */
  abstract read(key: string, range: ByteRange): Promise<Readable>;

  /** Does nothing when the key does not exist. */
  abstract remove(key: string): Promise<void>;

  /** Lists all stored files that are ours. */
  abstract list(): AsyncIterable<StoredObject>;

  /** Aborts uploads started before then and never finished, if the store keeps them separate from finished ones. */
  abstract abortIncompleteUploads(startedBefore: Date): Promise<void>;

  /**
   * The id of the installation that it belongs to, or what stands in its place; undefined when there is none.
   * @throws StoreUnavailable
   */
  abstract readInstallationId(): Promise<string | undefined>;

  /**
   * Writes it durably. Unless it `replaces` an id, does nothing when there is one, which another process may have
   * written at the same time: read it again.
   * @throws StoreUnavailable
   */
  abstract writeInstallationId(id: string, replaces?: boolean): Promise<void>;

  /** Copies all files to an empty folder, and returns how many; absent when backups of the store are made elsewhere. */
  copyTo?(folder: string): Promise<number>;

  /** The disk that it is on; absent when it is on none. */
  diskSpace?(): Promise<ReservedDiskSpace>;

  /** Checks whether the store is reachable and writable; rejects when not. */
  probe(): Promise<void> {
    return Promise.resolve();
  }
}

/** The store is full, unreachable, or has lost a file. */
export class StoreUnavailable extends ServiceUnavailableException {
  constructor(
    cause: unknown,
    readonly isWriting = false,
  ) {
    super(new Problem('files_unavailable'), { cause });
  }
}

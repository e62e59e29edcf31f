import type { Readable } from 'node:stream';
import { HttpStatus, ServiceUnavailableException } from '@nestjs/common';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import { Problem } from '../platform/errors/problem.js';
import { secureRandom } from '../platform/random/random.js';

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

const STORAGE_KEY_BYTES = 24;
/** Characters of a key in which the pieces of a file differ from it. */
const PIECE_CHARACTERS = 8;
const WHOLE = '0'.repeat(PIECE_CHARACTERS);

/** Random, so that it reveals nothing about the file or its push. */
export function newStorageKey(): string {
  return secureRandom(STORAGE_KEY_BYTES).toString('hex');
}

/** The key of a file that arrives in parts, of which a store may keep pieces as files of their own. */
export function newDividedKey(): string {
  return dividedKeyOf(newStorageKey());
}

/** The key of a new piece of such a file. */
export function newPieceKey(key: string): string {
  return `1${newStorageKey().slice(1, PIECE_CHARACTERS)}${key.slice(PIECE_CHARACTERS)}`;
}

/** The key of the file that has a piece of this key, if it is one. */
export function dividedKeyOf(key: string): string {
  return WHOLE + key.slice(PIECE_CHARACTERS);
}

/** How far a file is stored whose bytes arrive in parts. */
export interface StoredPart {
  /** Bytes of it that are stored durably. */
  bytes: number;
  /** What the store must be told to continue it; null if that is nothing. */
  state: string | null;
}

/** Bytes are being added to a file. */
export interface Appending {
  /** Adds a sealed chunk, which may stay in memory. */
  write(bytes: Buffer): Promise<void>;
  /**
   * Stores durably what was written: all of it or, unless `isAll`, what can be stored without further cost. Returns how
   * far the file is stored, which is to be remembered, and then the keys of what is needed no more.
   */
  save(isAll: boolean): Promise<StoredPart & { unneeded: string[] }>;
  /** Empties its memory. What was written is not saved by that. */
  flush(): Promise<void>;
  /** To be called at the end. What was not saved is lost, and removed. */
  close(): Promise<void>;
}

/** Stores the sealed bytes of files. It never sees plaintext or file names. */
export abstract class FileStore {
  /** Where it is, for the operator. */
  abstract readonly place: string;

  /** Bytes that an appending keeps in memory, at most. */
  abstract readonly appendMemory: number;

  /**
   * Resolves once all of `bytes` is stored durably. Removes what it has written if it cannot finish.
   * @throws StoreUnavailable when the store fails; an error of the source is rethrown as it is
   */
  abstract put(key: string, bytes: Readable): Promise<void>;

  /**
   * Continues a file whose bytes arrive in parts, after those that were saved: what was written after them is dropped.
   * @param total bytes of the whole file
   * @throws StoreUnavailable, as what it returns does
   */
  abstract append(key: string, from: StoredPart, total: number): Promise<Appending>;

  /**
   * Makes one file of what was saved of all of its bytes, if they have a state. May be repeated.
   * @throws StoreUnavailable
   */
  abstract join(key: string, state: string, total: number): Promise<void>;

  /** Removes a file that may be incomplete, and whatever its state names. */
  abstract discard(key: string, state: string | null): Promise<void>;

  /** @throws StoreUnavailable also when the key does not exist */
  abstract read(key: string, range: ByteRange): Promise<Readable>;

  /** Does nothing when the key does not exist. */
  abstract remove(key: string): Promise<void>;

  /** Lists all stored files that are ours. */
  abstract list(): AsyncIterable<StoredObject>;

  /**
   * Aborts uploads started before then and never finished, if the store keeps them separate from finished ones.
   * @param statesOf the states of files of these keys that arrive in parts: what these name is left
   */
  abstract abortIncompleteUploads(
    startedBefore: Date,
    statesOf: (keys: string[]) => Promise<string[]>,
  ): Promise<void>;

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

/** An error of the file system, or of an S3 server. */
interface FailureOfStore {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Less of the disk is free than uploads must leave. */
export class ReserveReached extends Error {}

/** The store is full, unreachable, or has lost a file. */
export class StoreUnavailable extends ServiceUnavailableException {
  constructor(
    cause: unknown,
    readonly isWriting = false,
  ) {
    super(new Problem('files_unavailable'), { cause });
  }

  /** Whether there is too little space for what was to be stored. */
  get isFull(): boolean {
    const { code, $metadata } = (this.cause ?? {}) as FailureOfStore;
    const isDiskFull = code === 'ENOSPC' || code === 'EDQUOT' || this.cause instanceof ReserveReached;
    return isDiskFull || $metadata?.httpStatusCode === HttpStatus.INSUFFICIENT_STORAGE;
  }
}

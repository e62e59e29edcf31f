import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { newId, secureRandom } from '../platform/random/random.js';
import { CommitOutcomeUnknown } from '../platform/database/errors/database-error.js';
import { SealingStream } from '../platform/sealing/chunk-streams.js';
import { ChunkSeal } from '../platform/sealing/chunk-seal.js';
import { KEY_BYTES } from '../platform/sealing/secretbox.js';
import { AgeFormatCheck } from './age-header.js';
import type { ContentKey } from './content-seal.js';
import type { FileStore } from './file-store.js';
import { newStorageKey, StoreUnavailable } from './file-store.js';

/** A file that is being stored, or is stored, and has no row yet. */
export class UploadedFile {
  /** Random, so that it reveals nothing about the file or its push. Empty when it is missing. */
  storageKey = newStorageKey();
  /** Looks at the content before it is sealed. */
  readonly ageFormatCheck: AgeFormatCheck;
  /** Seals the content on its way to the store. */
  readonly sealing: SealingStream;

  constructor(
    readonly name: string,
    readonly contentType: string,
    dataKey: Buffer,
    mustBeAgeFile: () => boolean,
    readonly id = newId(),
  ) {
    this.ageFormatCheck = new AgeFormatCheck(mustBeAgeFile);
    this.sealing = new SealingStream(new ChunkSeal(dataKey, this.id));
    this.sealing.on('error', () => undefined); // the store reports it
  }

  /** Bytes of its content that have been received so far. */
  get size(): number {
    return this.storageKey === '' ? 0 : this.sealing.bytesTaken;
  }
}

/** A file that arrived before its push, and is stored. It is not discarded when the push is not created. */
export interface ArrivedFile {
  id: string;
  storageKey: string;
  name: string;
  contentType: string;
  size: number;
  isAgeFile: boolean;
  contentKey: ContentKey;
}

/** The files of a push that is about to be created, in order of arrival. They can be discarded until they have rows. */
export class Upload {
  readonly files: UploadedFile[] = [];
  /** They come after the others. */
  readonly arrived: ArrivedFile[] = [];
  private readonly writes: Promise<void>[] = [];

  constructor(
    private readonly store: FileStore,
    readonly pushId = newId(),
    /** Seals these files and, later, the rest of the push. */
    readonly dataKey = secureRandom(KEY_BYTES),
  ) {}

  /** Bytes of all files that have been received so far. */
  get size(): number {
    return this.allFiles.reduce((sum, { size }) => sum + size, 0);
  }

  get allFiles(): (UploadedFile | ArrivedFile)[] {
    return [...this.files, ...this.arrived];
  }

  /**
   * Adds a file. Resolves when its bytes are stored durably.
   * @param mustBeAgeFile called when the first bytes have arrived
   * @param id of the row that it has already
   * @throws InvalidFields when it must be an age file and is not
   */
  async add(
    name: string,
    contentType: string,
    content: Readable,
    mustBeAgeFile = () => false,
    id?: string,
  ): Promise<void> {
    const file = new UploadedFile(name, contentType, this.dataKey, mustBeAgeFile, id);
    this.files.push(file);
    const sealed = pipeline(content, file.ageFormatCheck, file.sealing, () => undefined); // the store gets the same error, and reports it
    const write = this.store.put(file.storageKey, sealed);
    this.writes.push(write);
    await write;
  }

  /** Adds the name of a file that is missing, or makes the last one such a file, whose bytes could not all be read. */
  addMissing(name: string, contentType: string, isLast = false): void {
    if (isLast) this.files.pop();
    const file = new UploadedFile(name, contentType, this.dataKey, () => false);
    file.storageKey = '';
    this.files.push(file);
  }

  /** The error of the store for one of the files, once all writes have finished. */
  async storeError(): Promise<StoreUnavailable | undefined> {
    const results = await Promise.allSettled(this.writes);
    return results
      .map((result) => (result as Partial<PromiseRejectedResult>).reason as unknown)
      .find((reason) => reason instanceof StoreUnavailable);
  }

  /**
   * Aborts what is still arriving, and removes what was stored. The orphan sweep removes what cannot be removed now. It
   * also handles transactions of unknown outcome, whose rows may have been committed.
   */
  async discard(reason: unknown): Promise<void> {
    if (reason instanceof CommitOutcomeUnknown) return;

    for (const { sealing } of this.files) sealing.destroy(new Error('The upload was aborted'));
    await Promise.allSettled(this.writes);
    const stored = this.files.filter(({ storageKey }) => storageKey !== '');
    await Promise.allSettled(stored.map(({ storageKey }) => this.store.remove(storageKey)));
  }
}

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { newId, secureRandom } from '../database/ids.js';
import { Unconfirmed } from '../database/database-error.js';
import { SealingStream } from '../sealing/chunk-streams.js';
import { ChunkSeal } from '../sealing/chunks.js';
import type { FileStore } from './file-store.js';
import { StoreUnavailable } from './file-store.js';

const KEY_BYTES = 32;
const STORAGE_KEY_BYTES = 24;

/** A file that is being stored, or is stored, and which no row tells of yet. */
export class UploadedFile {
  readonly id = newId();
  /** Tells nothing of the file or its push. */
  readonly storageKey = secureRandom(STORAGE_KEY_BYTES).toString('hex');
  /** Seals the content on its way to the store. */
  readonly sealing: SealingStream;

  constructor(
    readonly name: string,
    readonly contentType: string,
    dataKey: Buffer,
  ) {
    this.sealing = new SealingStream(new ChunkSeal(dataKey, this.id));
    this.sealing.on('error', () => undefined); // the store tells it
  }

  /** Bytes of its content so far. */
  get size(): number {
    return this.sealing.bytesTaken;
  }
}

/** The files of one push to be, in the order in which they arrive. Until rows tell of them they can be discarded. */
export class Upload {
  readonly pushId = newId();
  /** Seals these files, and will seal the rest of the push. */
  readonly dataKey = secureRandom(KEY_BYTES);
  readonly files: UploadedFile[] = [];
  private readonly writes: Promise<void>[] = [];

  constructor(private readonly store: FileStore) {}

  /** Bytes of all contents so far. */
  get size(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Takes a file in: when this resolves its bytes are stored for good. */
  async add(name: string, contentType: string, content: Readable): Promise<void> {
    const file = new UploadedFile(name, contentType, this.dataKey);
    this.files.push(file);
    const sealed = pipeline(content, file.sealing, () => undefined); // the store meets the same error, and tells it
    const write = this.store.put(file.storageKey, sealed);
    this.writes.push(write);
    await write;
  }

  /** Why the store could not keep a file, once it is known of all. */
  async storeFault(): Promise<StoreUnavailable | undefined> {
    const results = await Promise.allSettled(this.writes);
    return results
      .map((result) => (result as Partial<PromiseRejectedResult>).reason as unknown)
      .find((reason) => reason instanceof StoreUnavailable);
  }

  /**
   * Gives up what is still arriving, and removes what was stored. What cannot be removed now is found by the sweep of
   * orphans, which is also left to decide where rows may tell of it.
   */
  async discard(reason: unknown): Promise<void> {
    if (reason instanceof Unconfirmed) return;

    for (const { sealing } of this.files) sealing.destroy(new Error('The upload was given up'));
    await Promise.allSettled(this.writes);
    await Promise.allSettled(this.files.map(({ storageKey }) => this.store.remove(storageKey)));
  }
}

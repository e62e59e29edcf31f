import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { SealingStream } from '../sealing/chunk-streams.js';
import { ChunkSeal } from '../sealing/chunks.js';
import type { FileStore } from './file-store.js';

const KEY_BYTES = 32;
const STORAGE_KEY_BYTES = 24;

/** A file that is being stored, or is stored, and which no row tells of yet. */
export class UploadedFile {
  readonly id = uuidv7();
  /** Tells nothing of the file or its push. */
  readonly storageKey = randomBytes(STORAGE_KEY_BYTES).toString('hex');
  /** Seals the content on its way to the store. */
  readonly sealing: SealingStream;

  constructor(
    readonly name: string,
    readonly contentType: string,
    dataKey: Buffer,
  ) {
    this.sealing = new SealingStream(new ChunkSeal(dataKey, this.id));
  }

  /** Bytes of its content so far. */
  get size(): number {
    return this.sealing.size;
  }
}

/** The files of one push to be, in the order in which they arrive. Until rows tell of them they can be discarded. */
export class Upload {
  readonly pushId = uuidv7();
  /** Seals these files, and will seal the rest of the push. */
  readonly dataKey = randomBytes(KEY_BYTES);
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

  /** Removes what was stored. What cannot be removed now is found by the sweep of orphans. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.writes);
    await Promise.allSettled(this.files.map(({ storageKey }) => this.store.remove(storageKey)));
  }
}

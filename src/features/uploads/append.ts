import { beginsWithAgeHeader } from '../../files/age-header.js';
import type { Appending } from '../../files/file-store.js';
import {
  CHUNK_BYTES,
  chunkCount,
  ChunkSeal,
  remainderKey,
  SEALED_CHUNK_BYTES,
} from '../../platform/sealing/chunk-seal.js';
import { seal, unseal } from '../../platform/sealing/secretbox.js';
import type { PartialUpload } from './upload.entity.js';

/** The columns that say how far an upload has arrived. */
export type Progress = Pick<PartialUpload, 'received' | 'storedBytes' | 'storeState' | 'tail' | 'isAgeFile'>;

/**
 * Seals the bytes that are added to an upload, in whole chunks, and stores these. Each chunk is sealed once it is complete,
 * and the bytes after the last one are sealed anew, with another key and a random nonce, each time they are saved.
 */
export class Append {
  /** Bytes that have arrived. */
  received: number;
  private readonly chunkSeal: ChunkSeal;
  private readonly chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private filled: number;
  private index: number;
  private writtenBytes: number;
  private isAgeFile: boolean;

  /** @param key of the content of the upload */
  constructor(
    private readonly upload: PartialUpload,
    private readonly key: Buffer,
    tail: Buffer | null,
    private readonly appending: Appending,
  ) {
    const { id, received, chunks, storedBytes, epochs, isAgeFile } = upload;
    this.received = received;
    this.index = chunks;
    this.writtenBytes = storedBytes;
    this.isAgeFile = isAgeFile;
    this.chunkSeal = new ChunkSeal(key, id, epochs);
    this.filled = tail ? unseal(remainderKey(key, id), tail, tailContext(id, received)).copy(this.chunk) : 0;
  }

  /** Bytes that may still be added. */
  get remaining(): number {
    return this.upload.length - this.received;
  }

  /** @param bytes at most those that remain */
  async add(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      const copied = bytes.copy(this.chunk, this.filled, start, start + CHUNK_BYTES - this.filled);
      start += copied;
      this.filled += copied;
      this.received += copied;
      if (this.filled === CHUNK_BYTES) await this.sealChunk();
    }
  }

  /**
   * Stores durably what has arrived, as in `Appending.save`. Returns the change of the upload, and what it needs no more;
   * undefined if no more is stored of it than before.
   */
  async save(isAll: boolean): Promise<{ progress: Progress; unneeded: string[] } | undefined> {
    if (this.remaining === 0 && this.index < this.chunkCount) await this.sealChunk();
    const { bytes, state, unneeded } = await this.appending.save(isAll);
    const isEveryChunk = bytes === this.writtenBytes;
    if (!isEveryChunk && bytes === this.upload.storedBytes) return undefined;
    const isTailKept = isEveryChunk && this.filled > 0;
    const received = isEveryChunk ? this.received : (bytes / SEALED_CHUNK_BYTES) * CHUNK_BYTES;
    const progress = {
      received,
      storedBytes: bytes,
      storeState: state,
      tail: isTailKept ? this.sealedTail(received) : null,
      isAgeFile: this.isAgeFile,
    };
    return { progress, unneeded };
  }

  /** Empties its memory, as in `Appending.flush`. */
  flush(): Promise<void> {
    return this.appending.flush();
  }

  close(): Promise<void> {
    this.chunk.fill(0);
    return this.appending.close();
  }

  private get chunkCount(): number {
    return chunkCount(this.upload.length);
  }

  private async sealChunk(): Promise<void> {
    const { index } = this;
    const content = this.chunk.subarray(0, this.filled);
    if (index === 0) this.isAgeFile = beginsWithAgeHeader(content);
    const sealed = Buffer.concat(this.chunkSeal.seal(content, index, index === this.chunkCount - 1));
    this.index += 1;
    this.filled = 0;
    this.writtenBytes += sealed.length;
    await this.appending.write(sealed);
  }

  private sealedTail(received: number): Buffer {
    const { id } = this.upload;
    return seal(remainderKey(this.key, id), this.chunk.subarray(0, this.filled), tailContext(id, received));
  }
}

function tailContext(id: string, received: number): string {
  return `upload/${id}/tail/${received}`;
}

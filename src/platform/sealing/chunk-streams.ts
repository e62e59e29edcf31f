import type { TransformCallback } from 'node:stream';
import { Transform } from 'node:stream';
import { UnsealError } from './secretbox.js';
import type { ChunkSeal } from './chunk-seal.js';
import { CHUNK_BYTES, chunkCount, SEALED_CHUNK_BYTES } from './chunk-seal.js';

/** Collects bytes until there are enough for a chunk. */
class ChunkBuffer {
  private parts: Buffer[] = [];
  private joined?: Buffer;
  length = 0;

  add(part: Buffer): void {
    this.parts.push(part);
    this.length += part.length;
  }

  /** Valid until the next call: bytes that arrived in several parts are joined in the same buffer each time. */
  take(length: number): Buffer {
    const first = this.parts[0] ?? Buffer.alloc(0);
    this.length -= length;
    if (first.length > length) {
      this.parts[0] = first.subarray(length);
      return first.subarray(0, length);
    } else if (first.length === length) {
      this.parts.shift();
      return first;
    } else {
      return this.join(length);
    }
  }

  private join(length: number): Buffer {
    const joined = (this.joined ??= Buffer.allocUnsafe(SEALED_CHUNK_BYTES));
    for (let filled = 0; filled < length;) {
      const part = this.parts.shift() as Buffer;
      const copied = part.copy(joined, filled, 0, length - filled);
      if (copied < part.length) this.parts.unshift(part.subarray(copied));
      filled += copied;
    }
    return joined.subarray(0, length);
  }
}

/** Seals the bytes that are written to it. The last chunk is only known at the end, so one is always held back. */
export class SealingStream extends Transform {
  private readonly buffered = new ChunkBuffer();
  private index = 0;

  /** Bytes received so far. Not called `size`, which the S3 client would interpret as the length of the output. */
  bytesTaken = 0;

  constructor(private readonly chunkSeal: ChunkSeal) {
    super();
  }

  override _transform(part: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytesTaken += part.length;
    this.buffered.add(part);
    while (this.buffered.length > CHUNK_BYTES) {
      this.pushSealed(CHUNK_BYTES, false);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    this.pushSealed(this.buffered.length, true);
    done();
  }

  private pushSealed(length: number, isLast: boolean): void {
    for (const piece of this.chunkSeal.seal(this.buffered.take(length), this.index++, isLast))
      this.push(piece);
  }
}

/** A range of bytes; both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The range of the sealed content whose chunks contain a range of the plain content. */
export function sealedRange({ start, end }: ByteRange, sealedLength: number): ByteRange {
  return {
    start: Math.floor(start / CHUNK_BYTES) * SEALED_CHUNK_BYTES,
    end: Math.min((Math.floor(Math.max(end, 0) / CHUNK_BYTES) + 1) * SEALED_CHUNK_BYTES, sealedLength) - 1,
  };
}

/** Unseals the chunks that contain a range, and outputs only the range. Fails if chunks are missing or changed. */
export class UnsealingStream extends Transform {
  private readonly buffered = new ChunkBuffer();
  private readonly lastIndex: number;
  private readonly endIndex: number;
  private index: number;
  private skip: number;
  private left: number;

  /** @param size of the whole plain content */
  constructor(
    private readonly chunkSeal: ChunkSeal,
    size: number,
    { start, end }: ByteRange,
  ) {
    super();
    this.lastIndex = chunkCount(size) - 1;
    this.index = Math.floor(start / CHUNK_BYTES);
    this.endIndex = Math.floor(Math.max(end, 0) / CHUNK_BYTES);
    this.skip = start % CHUNK_BYTES;
    this.left = end - start + 1;
  }

  override _transform(part: Buffer, _encoding: string, done: TransformCallback): void {
    this.buffered.add(part);
    runInTurn(() => {
      if (!this.destroyed) this.unsealWhole(done);
    });
  }

  override _flush(done: TransformCallback): void {
    try {
      if (this.buffered.length > 0) this.unsealChunk(this.buffered.take(this.buffered.length));
      if (this.left > 0 || this.index <= this.endIndex) throw new UnsealError('the content is cut short');
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  private unsealWhole(done: TransformCallback): void {
    try {
      while (this.buffered.length >= SEALED_CHUNK_BYTES)
        this.unsealChunk(this.buffered.take(SEALED_CHUNK_BYTES));
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }

  private unsealChunk(sealed: Buffer): void {
    const content = this.chunkSeal.unseal(sealed, this.index, this.index === this.lastIndex);
    const wanted = content.subarray(this.skip, this.skip + this.left);
    this.index += 1;
    this.skip = 0;
    this.left -= wanted.length;
    this.push(wanted);
  }
}

const waiting: (() => void)[] = [];

/**
 * Queues a step of heavy work: one step runs per iteration of the event loop, first in, first out. So the process can
 * serve other requests between any two steps, however many are queued.
 */
export function runInTurn(step: () => void): void {
  waiting.push(step);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  try {
    waiting[0]?.();
  } finally {
    waiting.shift(); // only now, so that a step that queues another does not start a second loop
    if (waiting.length > 0) setImmediate(runNext);
  }
}

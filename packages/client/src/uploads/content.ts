import { nextPiece } from './pieces.js';

/** What is uploaded, and can be read again from where the server has it. */
export interface Content {
  readonly name: string;
  readonly type: string;
  /** Bytes that are sent. */
  readonly size: number;
  isReadableFrom(offset: number): boolean;
  /**
   * The next bytes from there on; fewer than `bytes` only at the end. Not to be called again before it has returned.
   * @throws Unreadable
   */
  part(offset: number, bytes: number): Promise<Blob>;
}

/** A file has been changed, moved or removed since it was chosen. */
export class Unreadable extends Error {
  constructor(readonly file: File) {
    super();
  }
}

/** A file that is sent as it is. */
export class PlainContent implements Content {
  readonly name: string;
  readonly type: string;
  readonly size: number;

  constructor(private readonly file: File) {
    ({ name: this.name, type: this.type, size: this.size } = file);
  }

  isReadableFrom(): boolean {
    return true;
  }

  async part(offset: number, bytes: number): Promise<Blob> {
    const part = this.file.slice(offset, offset + bytes);
    try {
      await part.slice(0, 1).arrayBuffer(); // a request that cannot read it fails as one without a connection does
    } catch {
      throw new Unreadable(this.file);
    }
    return part;
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * A file that is encrypted while it is sent. What was encrypted last is kept until the server has it: encrypting it
 * again would give other bytes.
 */
export class EncryptedContent implements Content {
  readonly type = 'application/age';
  private reader: Reader | undefined;
  /** What follows `start` and was encrypted already. */
  private kept = new Blob();
  private start = 0;

  /** @param size once it is encrypted */
  constructor(
    private readonly file: File,
    readonly name: string,
    readonly size: number,
    private readonly encrypt: (content: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  ) {}

  isReadableFrom(offset: number): boolean {
    return offset === 0 || (offset >= this.start && offset <= this.start + this.kept.size);
  }

  async part(offset: number, bytes: number): Promise<Blob> {
    try {
      if (offset < this.start) this.beginAgain();
      this.reader ??= (await this.encrypt(this.file.stream())).getReader();
      this.kept = this.kept.slice(offset - this.start);
      this.start = offset;
      await this.keep(this.reader, Math.min(bytes, this.size - offset));
    } catch {
      this.beginAgain(); // and the server has nothing of what follows
      throw new Unreadable(this.file);
    }
    return this.kept.slice(0, bytes);
  }

  private beginAgain(): void {
    void this.reader?.cancel().catch(() => undefined);
    this.reader = undefined;
    this.kept = new Blob();
    this.start = 0;
  }

  private async keep(reader: Reader, bytes: number): Promise<void> {
    while (this.kept.size < bytes) {
      const piece = await nextPiece(reader);
      if (piece.size === 0) throw new Error('the file has become shorter');
      this.kept = new Blob([this.kept, piece]);
    }
    const end = this.start + this.kept.size;
    if (end > this.size || (end === this.size && !(await reader.read()).done))
      throw new Error('the file has become longer');
  }
}

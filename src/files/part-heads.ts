import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';

const LONGEST_HEAD = 16 * 1024;
const MOST_PARTS = 1000;
const LINE_END = '\r\n';

/** What the parser tells of a file. */
interface FileInfo {
  filename?: string;
  mimeType: string;
}

/**
 * Reads the heads of a form's parts beside its parser, for what the parser does not tell: that it left a part out
 * because it could not read it, and which type was declared for a file, if any.
 */
export class PartHeads {
  private readonly heads: string[] = [];
  private delimiter: Buffer;
  private pending: Buffer = Buffer.from(LINE_END); // the first delimiter needs no line before it
  private place: 'content' | 'head' | 'end' = 'content';
  private partsParsed = 0;
  private isContentDropped = false;

  /** Whether what was sent and what will be read are not the same. */
  get areMisread(): boolean {
    return this.heads.length !== this.partsParsed || this.isContentDropped;
  }

  /** Sees each chunk before the parser does, and tells it the types of files. */
  follow(request: IncomingMessage, parser: EventEmitter): void {
    const [, quoted, plain] =
      /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(request.headers['content-type'] ?? '') ?? [];
    this.delimiter = Buffer.from(`${LINE_END}--${quoted ?? plain ?? ''}`);
    request.prependListener('data', (chunk: Buffer) => {
      this.add(chunk);
    });
    parser.on('field', () => {
      this.partsParsed += 1;
    });
    parser.prependListener('file', (_name: unknown, _stream: unknown, info: FileInfo) => {
      const head = this.heads[this.partsParsed] ?? '';
      info.mimeType = declaredType(head);
      // a file without a name is dropped; only an input without a choice, which says filename="", has none to drop
      if (!info.filename && !/filename=""/i.test(head)) this.isContentDropped = true;
      this.partsParsed += 1;
    });
  }

  private add(chunk: Buffer): void {
    if (this.place === 'end') return;
    if (this.place === 'content' && !this.hasDelimiter(chunk)) {
      this.pending = this.tailOf(chunk);
    } else {
      this.pending = Buffer.concat([this.pending, chunk]);
      while (this.place === 'head' ? this.readHead() : this.findPart());
    }
  }

  /** Looked at where it lies: nearly all chunks are the middle of a file, and copying them is what would cost. */
  private hasDelimiter(chunk: Buffer): boolean {
    const seam = Buffer.concat([this.pending, chunk.subarray(0, this.delimiter.length)]);
    return seam.includes(this.delimiter) || chunk.includes(this.delimiter);
  }

  /** What may be the beginning of a delimiter. */
  private tailOf(chunk: Buffer): Buffer {
    const length = this.delimiter.length - 1;
    return chunk.length >= length
      ? chunk.subarray(-length)
      : Buffer.concat([this.pending, chunk]).subarray(-length);
  }

  private findPart(): boolean {
    const start = this.pending.indexOf(this.delimiter);
    const end = start + this.delimiter.length;
    if (start < 0 || this.pending.length < end + 2) {
      this.pending = this.pending.subarray(start < 0 ? 1 - this.delimiter.length : start);
      return false;
    }
    const next = this.pending.toString('latin1', end, end + 2);
    this.pending = this.pending.subarray(end);
    this.place = next === LINE_END ? 'head' : next === '--' ? 'end' : 'content';
    return this.place !== 'end';
  }

  private readHead(): boolean {
    const end = this.pending.indexOf(LINE_END + LINE_END);
    if (end < 0) {
      if (this.pending.length > LONGEST_HEAD) this.place = 'end'; // the parser has given up as well
      return false;
    }
    this.heads.push(this.pending.toString('latin1', 0, end));
    this.pending = this.pending.subarray(end + LINE_END.length); // a delimiter may follow at once
    this.place = this.heads.length < MOST_PARTS ? 'content' : 'end';
    return this.place !== 'end';
  }
}

function declaredType(head: string): string {
  return /^content-type:[ \t]*(.*?)[ \t]*$/im.exec(head)?.[1] || 'application/octet-stream';
}

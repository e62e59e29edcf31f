import { isUtf8 as areUtf8 } from 'node:buffer';
import type { Writable } from 'node:stream';
import { HttpException } from '@nestjs/common';
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import type { Options, StorageEngine } from 'multer';
import multer, { MulterError } from 'multer';
import type { BodiesInProgress, BodyInProgress } from './bodies-in-progress.js';
import {
  BOUNDARY_LENGTH,
  MULTIPART_ARRAY_INDEX,
  MULTIPART_FIELD_BYTES,
  MULTIPART_FIELDS,
  MULTIPART_NAME_LENGTH,
  MULTIPART_UNWANTED_FILES,
} from './body-limits.js';
import type { FormFields } from './field-texts.js';
import { fieldTexts } from './field-texts.js';
import type { FileReceiver } from './file-receiver.js';
import { declaredLength, isUtf8, mediaTypeOf } from './media-type.js';
import type { PartHeaders } from './part-headers.js';
import { watchPartHeaders } from './part-headers.js';
import { bodyTooLarge, malformedBody, tooManyFields, unsupportedCharset } from './body-errors.js';

const BUFFER_BYTES = 128 * 1024;
/**
 * Approximate memory of a piece of a field, in addition to its bytes: a client may send a field in pieces of one byte.
 */
const PIECE_BYTES = 256;
const ANY_BYTES = 'application/octet-stream';

/** In which older programs on Windows write the names of files. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Options that multer's types do not have. */
interface MoreOptions {
  defCharset: string;
  highWaterMark: number;
  fileHwm: number;
  streamHandler: (request: Request, parser: Writable) => void;
}

/** What the parser reports about a file. */
interface FileInfo {
  filename?: string;
  mimeType: string;
}

/**
 * Reads one multipart form with multer. Files are passed on as they arrive; the other fields are kept in memory.
 * An error is reported immediately: multer alone would first read the body to its end.
 */
export class MultipartForm {
  private body: BodyInProgress;
  private readonly maxParts: number;
  private partsFound = 0;
  private partsParsed = 0;
  private piecesOfField = 0;
  private isInField = false;
  private declaredType = ANY_BYTES;
  private hasEmptyFileName = false;
  /** An error found in a callback of the parser, from which the parser must not be stopped. */
  private bodyError?: HttpException;
  private isSettled = false;
  private resolve: () => void;
  private reject: (error: unknown) => void;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly bodies: BodiesInProgress,
    private readonly fieldsLimit: number,
    private readonly files: FileReceiver,
  ) {
    this.maxParts = MULTIPART_FIELDS + files.maxFiles + MULTIPART_UNWANTED_FILES;
  }

  /** @throws HttpException */
  async read(): Promise<FormFields> {
    this.assertReadable();
    await new Promise<void>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.body = this.bodies.begin(this.request, this.response, (error) => {
        this.abandon(error);
      });
      multer(this.options).any()(this.request, this.response, (error?: unknown) => void this.end(error));
      this.request.on('data', this.watch);
    }).catch(async (error: unknown) => {
      await this.keepFieldsRead();
      throw error;
    });
    const fields = this.request.body as FormFields | undefined;
    if (!fields) throw malformedBody(); // multer reads nothing if parameters of the Content-Type are malformed
    return fieldTexts(fields);
  }

  private assertReadable(): void {
    const { boundary } = parse(this.request.headers['content-type'] ?? '').parameters;
    if (!boundary || boundary.length > BOUNDARY_LENGTH) throw malformedBody();
    if (this.isTooLong && !this.files.rejectsAtFirstFile) throw this.files.tooLargeError('all');
  }

  /** A body longer than all limits together must have too large files, because fields cannot fill it. */
  private get isTooLong(): boolean {
    return (declaredLength(this.request) ?? 0) > this.files.maxBytes + this.fieldsLimit;
  }

  /** Leaves the fields before the error in `request.body`, for a form that is shown again. */
  private async keepFieldsRead(): Promise<void> {
    try {
      await fieldTexts((this.request.body ?? {}) as FormFields);
    } catch {
      this.request.body = undefined;
    }
  }

  private get options(): Options & MoreOptions {
    return {
      storage: this.storage,
      preservePath: true, // `files` cleans the names, so that no file is skipped because of its name
      defParamCharset: 'utf8',
      defCharset: 'latin1', // one character for each byte, for fieldTexts
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
      streamHandler: (request, parser) => {
        this.follow(parser);
        request.pipe(parser);
      },
      limits: {
        fields: MULTIPART_FIELDS,
        fieldSize: Math.min(this.fieldsLimit, MULTIPART_FIELD_BYTES),
        fieldNameSize: MULTIPART_NAME_LENGTH,
        fieldArrayIndexLimit: MULTIPART_ARRAY_INDEX,
        files: this.files.maxFiles + MULTIPART_UNWANTED_FILES,
        fileSize: this.files.maxBytesInFile,
      },
      fileFilter: (_request, { fieldname }, accept) => {
        try {
          const isWanted = this.files.accepts(fieldname);
          if (isWanted && this.isTooLong) throw this.files.tooLargeError('all');
          if (isWanted) this.body.streamFiles();
          accept(null, isWanted);
        } catch (error) {
          this.settle(error);
          accept(error as Error);
        }
      },
    };
  }

  private get storage(): StorageEngine {
    return {
      _handleFile: (_request, { originalname, mimetype, stream }, done) => {
        stream.once('limit', () => {
          this.settle(this.files.tooLargeError('file'));
        });
        this.files.take(originalname, mimetype, stream).then(
          () => {
            done(null);
          },
          (error: unknown) => {
            if (error instanceof HttpException) this.settle(error);
            done(error);
          },
        );
      },
      _removeFile: (_request, _file, done) => {
        done(null); // `files` discards all of them together
      },
    };
  }

  private follow(parser: Writable): void {
    watchPartHeaders(parser, (headers) => {
      this.beginPart(headers);
    });
    parser.on('field', () => {
      this.partsParsed += 1;
    });
    parser.prependListener('file', (_name: unknown, _content: unknown, info: FileInfo) => {
      this.partsParsed += 1;
      this.isInField = false;
      info.mimeType = this.declaredType;
      // files without a name are dropped; that is right only for an input without a selection, which sends filename=""
      if (!info.filename && !this.hasEmptyFileName) this.bodyError ??= malformedBody();
    });
  }

  /** Removes the Content-Type, except that of files without a name, so that all fields are decoded by `defCharset`. */
  private beginPart(headers: PartHeaders): void {
    this.partsFound += 1;
    this.piecesOfField = 0;
    this.isInField = true;
    if (this.partsFound > this.maxParts) this.bodyError ??= tooManyFields();

    const disposition = utf8Header(headers['content-disposition']?.[0] ?? '');
    headers['content-disposition'] &&= [disposition];
    const type = headers['content-type']?.[0]?.trim() ?? '';
    this.declaredType = type || ANY_BYTES;
    this.hasEmptyFileName = /filename=""/i.test(disposition);
    if (!/;[ \t]*filename\*?=/i.test(disposition) && !isUtf8(type)) this.bodyError ??= unsupportedCharset();
    if (mediaTypeOf(type) !== ANY_BYTES) delete headers['content-type'];
  }

  private readonly watch = (chunk: Buffer): void => {
    this.body.received += chunk.length;
    if (this.isInField) this.piecesOfField += 1;
    const bytesOfFields = this.body.received - this.files.size;
    if (this.bodyError) {
      this.abandon(this.bodyError);
    } else if (this.files.size > this.files.maxBytes) {
      this.abandon(this.files.tooLargeError('all'));
    } else if (bytesOfFields > this.fieldsLimit) {
      this.abandon(bodyTooLarge());
    } else {
      this.reserve(bytesOfFields + this.piecesOfField * PIECE_BYTES);
    }
  };

  private reserve(bytes: number): void {
    try {
      this.bodies.reserve(this.body, bytes);
    } catch (error) {
      this.abandon(error);
    }
  }

  private async end(error: unknown): Promise<void> {
    if (error === undefined) {
      this.settle(this.bodyError ?? (this.partsFound === this.partsParsed ? undefined : malformedBody()));
    } else {
      // a failing store also breaks the form's streams, and that error may be reported first
      this.settle((await this.files.error()) ?? this.bodyError ?? translated(error));
    }
  }

  private abandon(error: unknown): void {
    this.settle(error);
    this.request.emit('error', error); // this stops the parser
  }

  private settle(error?: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.request.off('data', this.watch);
    this.bodies.end(this.body);
    if (error === undefined) this.resolve();
    else this.reject(error);
  }
}

/** A header of a part, whose value has one character for each byte, with its text encoded as UTF-8. */
function utf8Header(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return areUtf8(bytes) ? value : Buffer.from(WINDOWS_1252.decode(bytes)).toString('latin1');
}

function translated(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  if (!(error instanceof MulterError) || error.code === 'MISSING_FIELD_NAME') return malformedBody();
  return tooManyFields();
}

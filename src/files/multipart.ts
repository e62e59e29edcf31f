import type { Writable } from 'node:stream';
import { BadRequestException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler } from 'express';
import type { Options, StorageEngine } from 'multer';
import multer, { MulterError } from 'multer';
import { cleanContentType, cleanFileName } from './file-name.js';
import type { FileRules } from './file-rules.js';
import { refusal } from './file-rules.js';
import { StoreUnavailable } from './file-store.js';
import { PartHeads } from './part-heads.js';
import type { Upload } from './upload.js';

const MOST_FIELDS = 100;
const LONGEST_FIELD_NAME = 200;
const BUFFER_BYTES = 128 * 1024;
const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

/** Options that multer's types do not tell of. */
interface MoreOptions {
  highWaterMark: number;
  fileHwm: number;
  streamHandler: (request: Request, parser: Writable) => void;
}

/**
 * Reads a form in multipart encoding. Files go to the upload as they arrive, never whole in memory and never in clear
 * to a disk; the rest, up to `fieldsLimit` bytes in all, to the request's body.
 */
export function multipartReader(rules: FileRules, upload: Upload, fieldsLimit: number): RequestHandler {
  return (request, response, next) => {
    const form = new Form(request, rules, upload, fieldsLimit, next);
    if (Number(request.headers['content-length']) > rules.mostBytesInPush + fieldsLimit) {
      form.refuseUnread();
    } else {
      multer(form.options).any()(request, response, (error?: unknown) => void form.end(error));
      request.on('data', form.watch);
    }
  };
}

/** One form that is being read. What is wrong is told at once: multer alone would first read the body to its end. */
class Form {
  private readonly textCheck = new TextCheck();
  private readonly heads = new PartHeads();
  private received = 0;
  private hasFiles = false;
  private isAnswered = false;

  constructor(
    private readonly request: Request,
    private readonly rules: FileRules,
    private readonly upload: Upload,
    private readonly fieldsLimit: number,
    private readonly next: NextFunction,
  ) {}

  get options(): Options & MoreOptions {
    return {
      storage: this.storage,
      preservePath: true, // we clean names ourselves, so that no file is passed over for its name
      defParamCharset: 'utf8',
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
      streamHandler: (request, parser) => {
        this.heads.follow(request, parser);
        request.pipe(parser);
      },
      limits: {
        fields: MOST_FIELDS,
        fieldSize: this.fieldsLimit,
        fieldNameSize: LONGEST_FIELD_NAME,
        fileSize: this.rules.mostBytesInFile,
      },
      fileFilter: (_request, { fieldname }, accept) => {
        this.hasFiles = true;
        try {
          const isOurs = FILES_FIELD.test(fieldname);
          if (isOurs) this.assertOneMore();
          accept(null, isOurs);
        } catch (error) {
          this.answer(error);
          accept(error as Error);
        }
      },
    };
  }

  /** So long that it must have files, and more than may be attached. */
  refuseUnread(): void {
    try {
      this.rules.assertAllowed(this.request.user !== undefined);
      this.answer(refusal(this.rules.pushTooLarge));
    } catch (error) {
      this.answer(error);
    }
  }

  readonly watch = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (!this.hasFiles) this.textCheck.add(chunk);
    if (this.upload.size > this.rules.mostBytesInPush) {
      this.abandon(refusal(this.rules.pushTooLarge));
    } else if (this.received - this.upload.size > this.fieldsLimit) {
      this.abandon(new PayloadTooLargeException('The body is too large.'));
    }
  };

  async end(error: unknown): Promise<void> {
    if (error === undefined) {
      const isBroken = this.hasFiles ? isReplaced(this.request.body) : this.textCheck.isBroken;
      this.answer(isBroken || this.heads.areMisread ? brokenForm() : undefined);
    } else {
      // a store that fails breaks the form's streams too, and that may be heard first
      this.answer((await this.upload.storeFault()) ?? translated(error));
    }
  }

  private get storage(): StorageEngine {
    return {
      _handleFile: (_request, { originalname, mimetype, stream }, done) => {
        stream.once('limit', () => {
          this.answer(refusal(this.rules.fileTooLarge));
        });
        this.upload.add(cleanFileName(originalname), cleanContentType(mimetype), stream).then(
          () => {
            done(null);
          },
          (error: unknown) => {
            if (error instanceof StoreUnavailable) this.answer(error);
            done(error);
          },
        );
      },
      _removeFile: (_request, _file, done) => {
        done(null); // the upload is discarded as a whole
      },
    };
  }

  private assertOneMore(): void {
    this.rules.assertAllowed(this.request.user !== undefined);
    if (this.upload.files.length >= this.rules.mostFiles) throw refusal(this.rules.tooManyFiles);
  }

  private abandon(error: HttpException): void {
    this.answer(error);
    this.request.emit('error', error); // how the parser is told to stop; it then reads the rest and drops it
  }

  private answer(error?: unknown): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.request.off('data', this.watch);
    this.next(error);
  }
}

function translated(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  if (!(error instanceof MulterError) || error.code === 'MISSING_FIELD_NAME') return brokenForm();
  return new PayloadTooLargeException('The form has too many or too large fields.');
}

function brokenForm(): BadRequestException {
  return new BadRequestException('The body is not well-formed.');
}

/** Beside files, whose bytes may be any, a field tells by the mark that was put in the place of what was broken. */
function isReplaced(body: unknown): boolean {
  return JSON.stringify(body).includes('\uFFFD');
}

/** Watches for text that is no UTF-8: the parser would replace it in silence, and a secret must come out as it went in. */
class TextCheck {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  isBroken = false;

  add(chunk: Buffer): void {
    try {
      this.decoder.decode(chunk, { stream: true });
    } catch {
      this.isBroken = true;
    }
  }
}

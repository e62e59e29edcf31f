import type { Writable } from 'node:stream';
import { BadRequestException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import type { StorageEngine } from 'multer';
import multer, { MulterError } from 'multer';
import { cleanContentType, cleanFileName } from './file-name.js';
import type { FileRules } from './file-rules.js';
import { refusal } from './file-rules.js';
import { PartHeads } from './part-heads.js';
import type { Upload } from './upload.js';

declare module 'multer' {
  interface Options {
    /** Hands the body to the parser; the types do not know it yet. */
    streamHandler?: (request: Request, parser: Writable) => void;
  }
}

const MOST_FIELDS = 100;
const LONGEST_FIELD_NAME = 200;
const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

/**
 * Reads a form in multipart encoding. Files go to the upload as they arrive, never whole in memory and never in clear
 * to a disk; the rest, up to `fieldsLimit` bytes in all, to the request's body.
 */
export function multipartReader(rules: FileRules, upload: Upload, fieldsLimit: number): RequestHandler {
  const heads = new PartHeads();
  const readParts = multer({
    storage: storageFor(upload),
    defParamCharset: 'utf8',
    limits: {
      fields: MOST_FIELDS,
      fieldSize: fieldsLimit,
      fieldNameSize: LONGEST_FIELD_NAME,
      files: rules.mostFiles,
      fileSize: rules.mostBytesInFile,
    },
    streamHandler: (request, parser) => {
      heads.follow(request, parser);
      request.pipe(parser);
    },
    fileFilter: (request, file, accept) => {
      try {
        const isOurs = FILES_FIELD.test(file.fieldname);
        if (isOurs) rules.assertAllowed(request.user !== undefined);
        accept(null, isOurs);
      } catch (error) {
        accept(error as Error);
      }
    },
  }).any();

  return (request, response, next) => {
    const textCheck = new TextCheck();
    let received = 0;
    const answer = (error?: unknown) => {
      request.off('data', watch);
      const fault = () => (heads.areMisread ? brokenForm() : textCheck.fault(upload, request.body));
      next(error === undefined ? fault() : translated(error, rules));
    };
    const watch = (chunk: Buffer) => {
      received += chunk.length;
      if (upload.files.length === 0) textCheck.add(chunk);
      if (upload.size > rules.mostBytesInPush) {
        abandon(refusal(rules.pushTooLarge));
      } else if (received - upload.size > fieldsLimit) {
        abandon(new PayloadTooLargeException('The body is too large.'));
      }
    };
    const abandon = (error: Error) => {
      request.off('data', watch);
      request.emit('error', error); // how the parser is told to stop; it then reads the rest and drops it
    };
    readParts(request, response, answer);
    request.on('data', watch);
  };
}

function storageFor(upload: Upload): StorageEngine {
  return {
    _handleFile: (_request, { originalname, mimetype, stream }, done) => {
      upload.add(cleanFileName(originalname), cleanContentType(mimetype), stream).then(() => {
        done(null);
      }, done);
    },
    _removeFile: (_request, _file, done) => {
      done(null); // the upload is discarded as a whole
    },
  };
}

function translated(error: unknown, rules: FileRules): unknown {
  if (error instanceof HttpException) return error;
  if (!(error instanceof MulterError)) return brokenForm();
  switch (error.code) {
    case 'MISSING_FIELD_NAME':
      return brokenForm();
    case 'LIMIT_FILE_COUNT':
      return refusal(rules.tooManyFiles);
    case 'LIMIT_FILE_SIZE':
      return refusal(rules.fileTooLarge);
    default:
      return new PayloadTooLargeException('The form has too many or too large fields.');
  }
}

function brokenForm(): BadRequestException {
  return new BadRequestException('The body is not well-formed.');
}

/** Watches for text that is no UTF-8: the parser would replace it in silence, and a secret must come out as it went in. */
class TextCheck {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private isBroken = false;

  add(chunk: Buffer): void {
    try {
      this.decoder.decode(chunk, { stream: true });
    } catch {
      this.isBroken = true;
    }
  }

  /** Beside files, whose bytes may be any, a field tells by the mark that was put in the place of what was broken. */
  fault({ files }: Upload, body: unknown): BadRequestException | undefined {
    const isFaulty = files.length === 0 ? this.isBroken : JSON.stringify(body).includes('\uFFFD');
    return isFaulty ? brokenForm() : undefined;
  }
}

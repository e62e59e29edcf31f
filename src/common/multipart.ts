import { BadRequestException, PayloadTooLargeException, UnprocessableEntityException } from '@nestjs/common';
import type { RequestHandler } from 'express';
import multer, { MulterError } from 'multer';

const MOST_FIELDS = 100;

/** Reads a form in multipart encoding, up to `limit` bytes in all. */
export function readMultipart(limit: number): RequestHandler {
  const readFields = multer({ limits: { fields: MOST_FIELDS, fieldSize: limit, fieldNameSize: 200 } }).none();

  return (request, response, next) => {
    const text = new TextCheck();
    let size = 0;
    const answer = (error?: unknown) => {
      request.off('data', look);
      next(error === undefined ? text.fault() : translated(error));
    };
    const look = (chunk: Buffer) => {
      size += chunk.length;
      text.add(chunk);
      if (size > limit) {
        request.unpipe().resume();
        answer(new PayloadTooLargeException('The body is too large.'));
      }
    };
    readFields(request, response, answer);
    request.on('data', look);
  };
}

/** Watches for bytes that are no UTF-8: the parser would replace them in silence. */
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

  fault(): Error | undefined {
    return this.isBroken ? new BadRequestException('The body is not well-formed.') : undefined;
  }
}

function translated(error: unknown): unknown {
  if (error instanceof PayloadTooLargeException) return error;
  if (!(error instanceof MulterError) || error.code === 'MISSING_FIELD_NAME') {
    return new BadRequestException('The body is not well-formed.');
  }
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    return new UnprocessableEntityException({ files: ['cannot be attached: file pushes are disabled here'] });
  }
  return new PayloadTooLargeException('The body has too many or too large fields.');
}

import { PayloadTooLargeException, UnprocessableEntityException } from '@nestjs/common';
import type { RequestHandler } from 'express';
import multer, { MulterError } from 'multer';

const MOST_FIELDS = 100;

/** Reads a form in multipart encoding, up to `limit` bytes in all. */
export function readMultipart(limit: number): RequestHandler {
  const readFields = multer({ limits: { fields: MOST_FIELDS, fieldSize: limit, fieldNameSize: 200 } }).none();

  return (request, response, next) => {
    let size = 0;
    const answer = (error?: unknown) => {
      request.off('data', count);
      next(error === undefined ? undefined : translated(error));
    };
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.unpipe().resume();
        answer(new PayloadTooLargeException('The body is too large.'));
      }
    };
    readFields(request, response, answer);
    request.on('data', count);
  };
}

function translated(error: unknown): unknown {
  if (!(error instanceof MulterError)) return error;
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    return new UnprocessableEntityException({ files: ['cannot be attached: file pushes are disabled here'] });
  }
  return new PayloadTooLargeException('The body has too many or too large fields.');
}

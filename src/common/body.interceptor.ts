import { isUtf8 } from 'node:buffer';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, HttpException, Injectable, PayloadTooLargeException } from '@nestjs/common';
import type { Options, OptionsJson } from 'body-parser';
import { json, urlencoded } from 'body-parser';
import type { Request, RequestHandler, Response } from 'express';
import type { Observable } from 'rxjs';
import { readMultipart } from './multipart.js';

const MIB = 1024 * 1024;
export const BODY_LIMIT = 13 * MIB;
const JSON_BODY_LIMIT_WITH_TOKEN = 34 * MIB;

const always = () => true;
const common: Options = { limit: BODY_LIMIT, type: always, verify: refuseBrokenText };
const jsonOptions: OptionsJson = { ...common, strict: false };

const readJson = json(jsonOptions);
const readLongJson = json({ ...jsonOptions, limit: JSON_BODY_LIMIT_WITH_TOKEN });
const readForm = urlencoded({ ...common, extended: true, verify: refuseBrokenForm });

/**
 * Reads the body of a request in any of the three encodings. It runs after the guards, so that nobody who is
 * not allowed to makes us read a byte, and only on routes that take a body: others ignore whatever is sent.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    await read(readerFor(request), request, http.getResponse());
    return next.handle();
  }
}

function readerFor(request: Request): RequestHandler {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  switch (type.trim().toLowerCase()) {
    case 'application/json':
      return request.user ? readLongJson : readJson;
    case 'application/x-www-form-urlencoded':
    case '':
      return readForm;
    case 'multipart/form-data':
      return readMultipart(BODY_LIMIT);
    default:
      throw new BadRequestException(
        'The Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
      );
  }
}

function read(reader: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void reader(request, response, (error?: unknown) => {
      if (error === undefined) {
        resolve();
      } else {
        reject(refusal(error));
      }
    });
  });
}

/** The parser's own message is kept from the caller: it quotes the input. */
function refusal(error: unknown): Error {
  if (error instanceof HttpException) return error;
  const { status } = error as { status?: number };
  if (status === 413) return new PayloadTooLargeException('The body is too large.');
  if (status !== undefined && status < 500) return new BadRequestException('The body is not well-formed.');
  return error as Error;
}

/** What cannot be decoded would be left as it is in silence, `%C3%A9` and all. */
function refuseBrokenForm(request: unknown, response: unknown, body: Buffer, encoding: string): void {
  refuseBrokenText(request, response, body, encoding);
  if (encoding === 'utf-8') decodeURIComponent(body.toString());
}

/** Bytes that are no UTF-8 would be replaced in silence, and a secret must come out as it went in. */
function refuseBrokenText(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(body)) throw new Error('not UTF-8');
}

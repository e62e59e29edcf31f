import { isUtf8 } from 'node:buffer';
import { BadRequestException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import type { Options, OptionsJson } from 'body-parser';
import { json, urlencoded } from 'body-parser';
import type { Request, RequestHandler, Response } from 'express';

const MIB = 1024 * 1024;
export const BODY_LIMIT = 13 * MIB;
const SHORT_FORM_LIMIT = MIB / 16;
const JSON_BODY_LIMIT_WITH_TOKEN = 34 * MIB;

const always = () => true;
const common: Options = { limit: BODY_LIMIT, type: always, verify: refuseBrokenText };
const jsonOptions: OptionsJson = { ...common, strict: false };

export const jsonReader = json(jsonOptions);
export const longJsonReader = json({ ...jsonOptions, limit: JSON_BODY_LIMIT_WITH_TOKEN });
export const formReader = urlencoded({ ...common, extended: true, verify: refuseBrokenForm });

/** For forms of a few short fields. */
export const shortFormReader = urlencoded({
  ...common,
  extended: true,
  limit: SHORT_FORM_LIMIT,
  verify: refuseBrokenForm,
});

/** The media type of a request's body, without its parameters; `""` when none is given. */
export function mediaType({ headers }: Request): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase();
}

/**
 * Reads a request's body into `request.body`.
 * @throws BadRequestException when it is not well-formed
 * @throws PayloadTooLargeException when it is over the reader's limit
 */
export function readBody(reader: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void reader(request, response, (error?: unknown) => {
      if (error === undefined) {
        resolve();
      } else {
        reject(refusalFor(error));
      }
    });
  });
}

/** The parser's own message is kept from the caller: it quotes the input. */
function refusalFor(error: unknown): Error {
  if (error instanceof HttpException) return error;
  const { status } = error as { status?: number };
  if (status === 413) {
    return new PayloadTooLargeException('The body is too large. Files may be larger when sent as multipart.');
  }
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

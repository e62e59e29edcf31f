import { parse } from 'content-type';
import type { Request } from 'express';
import { compressedBody, unsupportedCharset } from './refusals.js';

const UTF8 = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/** The media type of a request's body, in lower case and without parameters; `""` when none is given. */
export function mediaType({ headers }: Request): string {
  return mediaTypeOf(headers['content-type'] ?? '');
}

/** The media type that a Content-Type has, in lower case and without parameters. */
export function mediaTypeOf(contentType: string): string {
  if (contentType === 'application/json') return contentType; // what nearly all say
  return parse(contentType, { parameters: false }).type;
}

/** Bytes of a request's body; undefined for one in chunks. */
export function declaredLength({ headers }: Request): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * Lets only bodies through that are neither compressed nor in another charset than UTF-8, of which ASCII is a part: a
 * few bytes can decompress to very many, and decoders of rare charsets are slow.
 * @throws UnsupportedMediaTypeException
 */
export function assertPlainUtf8({ headers }: Request): void {
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') throw compressedBody();

  const type = headers['content-type'];
  if (type !== undefined && !isUtf8(type)) throw unsupportedCharset();
}

/** Whether what is declared as this type is in UTF-8, as text is where nothing else is said. */
export function isUtf8(contentType: string): boolean {
  if (!contentType.includes(';')) return true;
  const charset = parse(contentType).parameters.charset;
  return charset === undefined || UTF8.includes(charset.toLowerCase());
}

/**
 * Whether all of a request's body has arrived, read or not. Node.js says so itself (`complete`) only in a later turn of
 * the event loop than the one in which a short body comes together with its head.
 */
export function hasArrived(request: Request): boolean {
  if (request.complete) return true;
  const { headers } = request;
  const length = headers['content-length'];
  if (length !== undefined) return request.readableLength === Number(length);
  return headers['transfer-encoding'] === undefined;
}

/** A text without the three bytes that some editors put before it (RFC 3629, 6). */
export function withoutMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

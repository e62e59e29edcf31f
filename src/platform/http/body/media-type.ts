import { parse } from 'content-type';
import type { Request } from 'express';
import { compressedBody, unsupportedCharset } from './body-errors.js';

const UTF8 = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/** The media type of a request body, in lower case and without parameters; `""` when none is given. */
export function mediaType({ headers }: Request): string {
  return mediaTypeOf(headers['content-type'] ?? '');
}

/** The media type of a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string): string {
  if (contentType === 'application/json') return contentType; // the usual case
  return parse(contentType, { parameters: false }).type;
}

/** The Content-Length of a request body; undefined for a chunked one. */
export function declaredLength({ headers }: Request): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * Accepts only bodies that are uncompressed and in UTF-8 or ASCII: a few bytes can decompress to very many, and
 * decoders of rare charsets are slow.
 * @throws UnsupportedMediaTypeException
 */
export function assertPlainUtf8({ headers }: Request): void {
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') throw compressedBody();

  const type = headers['content-type'];
  if (type !== undefined && !isUtf8(type)) throw unsupportedCharset();
}

/** Whether this Content-Type declares UTF-8 or no charset, which means UTF-8. */
export function isUtf8(contentType: string): boolean {
  if (!contentType.includes(';')) return true;
  const charset = parse(contentType).parameters.charset;
  return charset === undefined || UTF8.includes(charset.toLowerCase());
}

/** A text without the byte order mark, three bytes that some editors put before it (RFC 3629, 6). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

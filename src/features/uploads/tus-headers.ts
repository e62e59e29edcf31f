import { hash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { BadRequestException } from '@nestjs/common';
import { cleanContentType, cleanFileName } from '../../shared/file-name.js';
import { UploadProblem } from './uploads.problems.js';

/** Of the protocol tus, https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256'] as const;
/** The Content-Type of a part. */
export const PART_TYPE = 'application/offset+octet-stream';

const MAX_METADATA = 4096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface Checksum {
  algorithm: (typeof CHECKSUM_ALGORITHMS)[number];
  /** In base64. */
  digest: string;
}

/** A whole number of bytes. @throws BadRequestException when it is missing or is none */
export function readSize(headers: IncomingHttpHeaders, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = headers[name.toLowerCase()];
  const size = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(size)) throw malformed(name, 'a whole number of bytes');
  return size;
}

/** @throws BadRequestException */
export function readChecksum({ 'upload-checksum': text }: IncomingHttpHeaders): Checksum | undefined {
  if (text === undefined) return undefined;
  const [, name, digest = ''] = /^(\w+) (\S+)$/.exec(String(text)) ?? [];
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name);
  const isWhole =
    algorithm !== undefined &&
    BASE64.test(digest) &&
    Buffer.from(digest, 'base64').length === hash(algorithm, '', 'buffer').length;
  if (!isWhole)
    throw malformed('Upload-Checksum', `${CHECKSUM_ALGORITHMS.join(' or ')}, a space and a digest in base64`);
  return { algorithm, digest };
}

/** What a client says about a file. */
export class UploadMetadata {
  private readonly values: ReadonlyMap<string, string>;

  /**
   * @param text the value of Upload-Metadata: keys, each with a space and a value in base64, with commas between them
   * @throws BadRequestException
   */
  constructor(readonly text: string) {
    const requirement = `keys, each once, with values in base64 of UTF-8, of ${MAX_METADATA} characters at most`;
    const values = text.length > MAX_METADATA ? undefined : valuesIn(text);
    if (!values) throw malformed('Upload-Metadata', requirement);
    this.values = values;
  }

  static of({ 'upload-metadata': text = '' }: IncomingHttpHeaders): UploadMetadata {
    return new UploadMetadata(String(text));
  }

  value(key: string): string | undefined {
    return this.values.get(key);
  }

  /** As of a file in a form. Some clients say `name` and `type`. */
  get filename(): string {
    return cleanFileName(this.value('filename') ?? this.value('name') ?? '');
  }

  get contentType(): string {
    return cleanContentType(this.value('filetype') ?? this.value('type'));
  }
}

function valuesIn(text: string): Map<string, string> | undefined {
  const values = new Map<string, string>();
  if (text.trim() === '') return values;
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    const bytes = Buffer.from(value, 'base64');
    if (!/^[!-~]+$/.test(key) || values.has(key) || more.length > 0 || !BASE64.test(value) || !isUtf8(bytes))
      return undefined;
    values.set(key, bytes.toString());
  }
  return values;
}

function malformed(name: string, requirement: string): BadRequestException {
  return new BadRequestException(new UploadProblem('upload_header_malformed', { name, requirement }));
}

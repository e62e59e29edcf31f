import { cleanContentType, cleanFileName } from '../../../../src/shared/file-name.js';
import { headerBytesFor } from '../../../../src/shared/age-recipient.js';
import { encryptedFileSize } from '../../../../src/shared/age-size.js';
import { urlError } from '../../../../src/shared/payload-errors.js';
import { EndToEndError } from './end-to-end-error.js';
import type { Bytes } from './key.js';
import { isKey } from './key.js';

const VERSION = 1;
const KINDS = ['text', 'url', 'qr', 'file'] as const;
/** The length is padded to a multiple of this, which hides the exact length. */
const BLOCK = 256;
/** More files than any installation allows. */
const MAX_FILES = 1000;

export type Kind = (typeof KINDS)[number];

/** The content of the payload before it is encrypted. */
export interface Envelope {
  kind: Kind;
  /** The text, which may be empty if there are files. */
  text: string;
  /** The files: at least one for the kind `file`, none for other kinds. */
  files: EnvelopeFile[];
}

export interface EnvelopeFile {
  /** The name without folders, control and format characters. */
  name: string;
  /** A media type. Never show such a file on a page of ours: it may be HTML. */
  type: string;
  /** Size in bytes. */
  size: number;
  /** The key that the file is encrypted with. */
  key: string;
}

export function encodeEnvelope(envelope: Envelope): Bytes {
  const { kind, text, files } = checked(envelope);
  const encode = (pad: string) =>
    new TextEncoder().encode(JSON.stringify({ v: VERSION, kind, text, files, pad }));
  const excess = encode('').length % BLOCK;
  return encode(' '.repeat((BLOCK - excess) % BLOCK));
}

/** @throws EndToEndError */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  const content = parsed(bytes);
  if (!isRecord(content) || content.v !== VERSION) throw new EndToEndError('unsupported');
  return checked(content);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new EndToEndError('unsupported');
  }
}

/** Checks an envelope, whose sender may be anyone. */
function checked({ kind, text, files }: Record<keyof Envelope, unknown> | Record<string, unknown>): Envelope {
  const isValid =
    isKind(kind) &&
    typeof text === 'string' &&
    Array.isArray(files) &&
    (kind === 'file' ? files.length > 0 && files.length <= MAX_FILES : files.length === 0) &&
    (kind !== 'url' || urlError(text) === undefined);
  if (!isValid) throw new EndToEndError('unsupported');
  return { kind, text, files: files.map(checkedFile) };
}

function checkedFile(file: unknown): EnvelopeFile {
  if (!isRecord(file)) throw new EndToEndError('unsupported');
  const { name, type, size, key } = file;
  const isValid =
    typeof name === 'string' &&
    typeof type === 'string' &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size >= 0 &&
    typeof key === 'string' &&
    isKey(key);
  if (!isValid) throw new EndToEndError('unsupported');
  return { name: cleanFileName(name), type: cleanContentType(type), size, key };
}

function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----\n'.length;
const BYTES_OF_LINE = 48;

/** The length of the payload with this envelope, in characters of ASCII. */
export function encryptedPayloadSize(envelope: Envelope): number {
  return armoredSize(encryptedFileSize(encodeEnvelope(envelope).length));
}

/**
 * The length of the payload with this envelope when it is encrypted to a recipient, in characters of ASCII.
 * @throws RangeError if it is no age recipient of a known kind
 */
export function encryptedPayloadSizeFor(envelope: Envelope, recipient: string): number {
  return armoredSize(encryptedFileSize(encodeEnvelope(envelope).length, headerBytesFor(recipient)));
}

function armoredSize(size: number): number {
  return ARMOR + 4 * Math.ceil(size / 3) + Math.ceil(size / BYTES_OF_LINE);
}

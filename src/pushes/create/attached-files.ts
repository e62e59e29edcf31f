import { NOT_AGE_FILES } from '../../files/age-format-check.js';
import { AGE_HEADER_BYTES, beginsWithAgeHeader } from '../../files/age-header.js';
import { cleanContentType, cleanFileName } from '../../files/file-name.js';
import type { FileRules } from '../../files/file-rules.js';
import type { InlineFile } from '../../files/files.service.js';
import { Upload } from '../../files/upload.js';
import type { PushKind } from '../push/push-kind.js';

/** A file in a JSON body. */
interface EncodedFile {
  filename: string;
  content_type?: string | null;
  content: string;
}

const NOT_ENCODED =
  'must be an array of objects with filename, content in base64 and, if known, content_type';

/** What is wrong with the files of a push: those of a form, or an array in JSON. */
export function filesError(kind: PushKind, files: unknown, rules: FileRules): string | undefined {
  const isWanted = kind === 'file' && rules.isEnabled;
  if (files instanceof Upload) return rules.error(files.files.map(({ size }) => size));
  if (files === undefined) return isWanted ? 'must have at least one file' : undefined;
  if (!Array.isArray(files) || !files.every(isEncodedFile)) return NOT_ENCODED;
  if (files.length === 0) return isWanted ? 'must have at least one file' : undefined;
  if (!rules.isEnabled) return 'cannot be attached: file pushes are disabled here';
  const sizes = files.map(({ content }) => Buffer.byteLength(content, 'base64'));
  return rules.error(sizes) ?? (files.every(({ content }) => isBase64(content)) ? undefined : NOT_ENCODED);
}

/** What is wrong with files, otherwise acceptable, of a push that its client has encrypted. */
export function encryptedFilesError(files: unknown): string | undefined {
  const areEncrypted =
    files instanceof Upload
      ? files.files.every(({ ageFormatCheck }) => ageFormatCheck.isAgeFile)
      : ((files ?? []) as EncodedFile[]).every(({ content }) => beginsWithAgeHeader(startOf(content)));
  return areEncrypted ? undefined : NOT_AGE_FILES;
}

/** Files that have been validated: those of a form, or of JSON. */
export function readFiles(files: unknown): Upload | InlineFile[] | undefined {
  if (files instanceof Upload) return files;
  if (!Array.isArray(files) || files.length === 0) return undefined;
  return (files as EncodedFile[]).map(({ filename, content_type, content }) => ({
    name: cleanFileName(filename),
    contentType: cleanContentType(content_type ?? undefined),
    size: Buffer.byteLength(content, 'base64'),
    content,
  }));
}

function isEncodedFile(value: unknown): value is EncodedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { filename, content_type, content } = value as Record<string, unknown>;
  return (
    typeof filename === 'string' &&
    (content_type === undefined || content_type === null || typeof content_type === 'string') &&
    typeof content === 'string'
  );
}

/** The first bytes of a file, without decoding all of it. */
function startOf(content: string): Buffer {
  return Buffer.from(content.slice(0, (AGE_HEADER_BYTES / 3) * 4), 'base64');
}

/**
 * Strict base64 with padding (RFC 4648, 4): lenient decoding may not return what was sent. Only the last group can have
 * padding, or bits that are not used.
 */
function isBase64(text: string): boolean {
  const last = text.slice(-4);
  return (
    text.length % 4 === 0 &&
    !/[^A-Za-z0-9+/]/.test(text.slice(0, -4)) &&
    Buffer.from(last, 'base64').toString('base64') === last
  );
}

import { AGE_HEADER_BYTES, beginsWithAgeHeader, NOT_AGE_FILES } from '../../files/age-header.js';
import { cleanContentType, cleanFileName } from '../../shared/file-name.js';
import type { FileRules } from '../../files/file-rules.js';
import { LongText } from '../../platform/http/validation/text-error.js';
import type { InlineFile } from '../../files/files.service.js';
import type { ArrivedFile } from '../../files/upload.js';
import { Upload } from '../../files/upload.js';
import type { PushKind } from '../../shared/push-kind.js';
import { Problem } from '../../platform/errors/problem.js';

/** A file in a JSON body. */
interface EncodedFile {
  filename: string;
  content_type?: string | null;
  content: string | LongText;
}

const NOT_ENCODED = new Problem('files_malformed');

/**
 * What is wrong with the files of a push: those of a form, or an array in JSON.
 * @param arrived those that it has beside them
 */
export function filesError(
  kind: PushKind,
  files: unknown,
  arrived: ArrivedFile[],
  rules: FileRules,
  areEncrypted: boolean,
): Problem | undefined {
  const sizesBefore = arrived.map(({ size }) => size);
  const isWanted = kind === 'file' && rules.isEnabled && arrived.length === 0;
  if (files instanceof Upload) {
    const sizes = files.files.map(({ size }) => size);
    return rules.error([...sizes, ...sizesBefore], areEncrypted);
  }
  const isNone = files === undefined || (Array.isArray(files) && files.length === 0);
  if (isNone) return isWanted ? new Problem('files_needed') : rules.error(sizesBefore, areEncrypted);
  if (!Array.isArray(files) || !files.every(isEncodedFile)) return NOT_ENCODED;
  if (!rules.isEnabled) return new Problem('files_disabled');
  const contents = files.map(({ content }) => piecesOf(content));
  return (
    rules.error([...contents.map(decodedSize), ...sizesBefore], areEncrypted) ??
    (contents.every(isBase64) ? undefined : NOT_ENCODED)
  );
}

/** What is wrong with files, otherwise acceptable, of a push that its client has encrypted. */
export function encryptedFilesError(files: unknown, arrived: ArrivedFile[]): Problem | undefined {
  if (!arrived.every(({ isAgeFile }) => isAgeFile)) return NOT_AGE_FILES;
  const areEncrypted =
    files instanceof Upload
      ? files.files.every(({ ageFormatCheck }) => ageFormatCheck.isAgeFile)
      : ((files ?? []) as EncodedFile[]).every(({ content }) =>
          beginsWithAgeHeader(startOf(piecesOf(content))),
        );
  return areEncrypted ? undefined : NOT_AGE_FILES;
}

/** Files that have been validated: those of a form, or of JSON. */
export function readFiles(files: unknown): Upload | InlineFile[] | undefined {
  if (files instanceof Upload) return files;
  if (!Array.isArray(files) || files.length === 0) return undefined;
  return (files as EncodedFile[]).map(({ filename, content_type, content }) => ({
    name: cleanFileName(filename),
    contentType: cleanContentType(content_type ?? undefined),
    size: decodedSize(piecesOf(content)),
    content: piecesOf(content),
  }));
}

function isEncodedFile(value: unknown): value is EncodedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { filename, content_type, content } = value as Record<string, unknown>;
  return (
    typeof filename === 'string' &&
    (content_type === undefined || content_type === null || typeof content_type === 'string') &&
    (typeof content === 'string' || content instanceof LongText)
  );
}

/** Content in base64, of which each piece but the last has a mebibyte. */
type Pieces = readonly string[];

function piecesOf(content: string | LongText): Pieces {
  return typeof content === 'string' ? [content] : content.pieces;
}

/** The first bytes of a file, without decoding all of it. */
function startOf([first = '']: Pieces): Buffer {
  return Buffer.from(first.slice(0, (AGE_HEADER_BYTES / 3) * 4), 'base64');
}

function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function decodedSize(pieces: Pieces): number {
  const padding = /={0,2}$/.exec(lastGroup(pieces))?.[0] ?? '';
  return (lengthOf(pieces) / 4) * 3 - padding.length;
}

function lastGroup(pieces: Pieces): string {
  return pieces
    .slice(-2)
    .map((piece) => piece.slice(-4))
    .join('')
    .slice(-4);
}

/**
 * Strict base64 with padding (RFC 4648, 4): lenient decoding may not return what was sent. Only the last group can have
 * padding, or bits that are not used.
 */
function isBase64(pieces: Pieces): boolean {
  const last = lastGroup(pieces);
  const digits = [...pieces.slice(0, -2), pieces.slice(-2).join('').slice(0, -4)];
  return (
    lengthOf(pieces) % 4 === 0 &&
    !digits.some((piece) => /[^A-Za-z0-9+/]/.test(piece)) &&
    Buffer.from(last, 'base64').toString('base64') === last
  );
}

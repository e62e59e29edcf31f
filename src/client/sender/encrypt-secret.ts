import { newFragment } from '../../../packages/client/src/end-to-end/fragment.js';
import type { EndToEnd } from '../end-to-end/load.js';
import { loadEndToEnd, loadRecipientEncryption } from '../end-to-end/load.js';
import { nextPiece } from '../../../packages/client/src/uploads/pieces.js';
import { countingStream } from '../page/progress.js';
import type { Envelope, EnvelopeFile, Kind } from '../../../packages/client/src/end-to-end/envelope.js';
import { newKey } from '../../../packages/client/src/end-to-end/key.js';

/** An encrypted secret: the parts that are sent, and the fragment, which is not. */
export interface EncryptedSecret {
  payload: string;
  /** The passphrase that the server knows; undefined for an answer to a request. */
  proof?: string;
  files: File[];
  /** The end of the link, which is never sent; undefined for an answer. */
  fragment?: string;
}

/**
 * What encrypts files, of a push or of an answer.
 * @throws EndToEndError
 */
export function loadFileEncryption(recipient: string | undefined): Promise<Pick<EndToEnd, 'encryptFile'>> {
  return recipient === undefined ? loadEndToEnd() : loadRecipientEncryption();
}

/** @throws EndToEndError, the reason of the signal, or the error of a file that cannot be read */
export async function encryptSecret(
  { envelope, files, passphrase }: SecretOfForm,
  options: EncryptOptions,
): Promise<EncryptedSecret> {
  const endToEnd = await loadEndToEnd();
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const keys = envelope.files.map(({ key }) => key);
  return {
    payload: await endToEnd.encryptPayload(envelope, fragment, passphrase, options.signal),
    proof: await endToEnd.proofOf(fragment, passphrase, options.signal),
    files: await encryptFiles(files, keys, endToEnd, options),
    fragment: fragment.text,
  };
}

/**
 * Encrypts an answer to a request for whoever asks.
 * @throws EndToEndError, the reason of the signal, or the error of a file that cannot be read
 */
export async function encryptAnswer(
  { envelope, files }: SecretOfForm,
  recipient: string,
  options: EncryptOptions,
): Promise<EncryptedSecret> {
  const encryption = await loadRecipientEncryption();
  const keys = envelope.files.map(({ key }) => key);
  return {
    payload: await encryption.encryptPayloadFor(envelope, recipient),
    files: await encryptFiles(files, keys, encryption, options),
  };
}

const TYPE = 'application/age';

interface EncryptOptions {
  signal: AbortSignal;
  /** Called with the progress of the files, in bytes. */
  onProgress: (encrypted: number, total: number) => void;
}

/** Encrypts each file with its key. */
async function encryptFiles(
  files: File[],
  keys: string[],
  { encryptFile }: Pick<EndToEnd, 'encryptFile'>,
  { signal, onProgress }: EncryptOptions,
): Promise<File[]> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const progress = (bytes: number) => {
    done += bytes;
    onProgress(done, total);
  };
  const encrypted: File[] = [];
  for (const [i, file] of files.entries()) {
    const content = file.stream().pipeThrough(countingStream(progress), { signal });
    const pieces = await piecesOf(await encryptFile(content, keys[i] ?? ''));
    encrypted.push(new File(pieces, `${i}.age`, { type: TYPE }));
  }
  return encrypted;
}

async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<Blob[]> {
  const pieces: Blob[] = [];
  const reader = stream.getReader();
  for (;;) {
    const piece = await nextPiece(reader);
    if (piece.size === 0) return pieces;
    pieces.push(piece);
  }
}

/** The part of a form that only recipients may read. */
export interface SecretOfForm {
  envelope: Envelope;
  /** The files that are to be encrypted, in the order of the envelope. */
  files: File[];
  /** The passphrase; empty if there is none. */
  passphrase: string;
}

/** The fields from which it is read: they are never sent together with the ciphertext. */
export const FIELDS_OF_SECRET = [
  'push[kind]',
  'push[payload]',
  'push[passphrase]',
  'push[passphrase_was_set]',
  'push[files][]',
];

export function secretOfForm(content: FormData): SecretOfForm {
  const chosen = textOf(content, 'push[kind]');
  const files = chosen === 'file' || chosen === '' ? filesOf(content) : [];
  const kind = (chosen || (files.length > 0 ? 'file' : 'text')) as Kind; // an answer to a request has no choice
  const text = textOf(content, 'push[payload]').replaceAll('\r\n', '\n');
  return {
    envelope: { kind, text, files: files.map(inEnvelope) },
    files,
    passphrase: textOf(content, 'push[passphrase]'),
  };
}

/** The secret of a form whose files were encrypted already, with these keys. */
export function withKeys(secret: SecretOfForm, encrypted: { key: string }[]): SecretOfForm {
  const files = secret.envelope.files.map((file, i) => ({ ...file, key: encrypted[i]?.key ?? file.key }));
  return { ...secret, envelope: { ...secret.envelope, files }, files: [] };
}

function inEnvelope({ name, type, size }: File): EnvelopeFile {
  return { name, type, size, key: newKey() };
}

/** A field of files without any has one without a name. */
function filesOf(content: FormData): File[] {
  return content.getAll('push[files][]').filter((file) => file instanceof File && file.name !== '') as File[];
}

/** The text of a field; empty without one. */
export function textOf(content: FormData, name: string): string {
  const value = content.get(name);
  return typeof value === 'string' ? value : '';
}

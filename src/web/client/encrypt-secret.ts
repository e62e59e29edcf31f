import { newFragment } from './end-to-end/fragment.js';
import { loadEndToEnd } from './end-to-end/load.js';
import type { SecretOfForm } from './secret-of-form.js';

/** Blobs are made of pieces of this size: the browser may keep them on the disk. */
const PIECE_BYTES = 4 * 1024 * 1024;
const TYPE = 'application/age';

/** What is sent of a secret, and what is not. */
export interface EncryptedSecret {
  payload: string;
  /** The passphrase that the server knows. */
  proof: string;
  files: File[];
  /** The end of the link, which is never sent. */
  fragment: string;
}

interface EncryptOptions {
  signal: AbortSignal;
  /** Called for files, in bytes. */
  onProgress: (encrypted: number, total: number) => void;
}

/** @throws EndToEndError, the reason of the signal, or the error of a file that cannot be read */
export async function encryptSecret(
  { envelope, files, passphrase }: SecretOfForm,
  { signal, onProgress }: EncryptOptions,
): Promise<EncryptedSecret> {
  const { proofOf, sealFile, sealPayload } = await loadEndToEnd();
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const payload = await sealPayload(envelope, fragment, passphrase, signal);
  const proof = await proofOf(fragment, passphrase, signal);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const encrypted: File[] = [];
  let done = 0;
  for (const [i, { key }] of envelope.files.entries()) {
    const content = (files[i] as File).stream().pipeThrough(
      counting((bytes) => {
        done += bytes;
        onProgress(done, total);
      }),
      { signal },
    );
    encrypted.push(new File(await piecesOf(await sealFile(content, key)), `${i}.age`, { type: TYPE }));
  }
  return { payload, proof, files: encrypted, fragment: fragment.text };
}

function counting(count: (bytes: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk.length);
      controller.enqueue(chunk);
    },
  });
}

async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<Blob[]> {
  const pieces: Blob[] = [];
  const reader = stream.getReader();
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const endPiece = () => {
    pieces.push(new Blob(chunks));
    [chunks, size] = [[], 0];
  };
  for (;;) {
    const { value } = await reader.read();
    if (!value) break;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    size += value.length;
    if (size >= PIECE_BYTES) endPiece();
  }
  endPiece();
  return pieces;
}

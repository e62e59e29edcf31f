import { countingStream } from '../../counting-stream.js';
import type { EndToEnd } from '../load.js';

/** Blobs are made of pieces of this size: the browser may keep them on the disk. One takes some 20 ms to encrypt. */
const PIECE_BYTES = 2 * 1024 * 1024;
const TYPE = 'application/age';

export interface EncryptOptions {
  signal: AbortSignal;
  /** Called with the progress of the files, in bytes. */
  onProgress: (encrypted: number, total: number) => void;
}

/** Encrypts each file with its key. */
export async function encryptFiles(
  files: File[],
  keys: string[],
  { encryptFile }: EndToEnd,
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
    if (size < PIECE_BYTES) continue;
    endPiece();
    await nextTask();
  }
  endPiece();
  return pieces;
}

/** Lets the browser show the progress and handle clicks. Timers would wait much longer in hidden tabs. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

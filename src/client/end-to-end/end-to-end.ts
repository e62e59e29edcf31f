import { EndToEndError } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import type { Envelope, EnvelopeFile } from '../../../packages/client/src/end-to-end/envelope.js';
import { decryptFileWith } from '../../../packages/client/src/end-to-end/files.js';
import type { Fragment } from '../../../packages/client/src/end-to-end/fragment.js';
import type { OperationName, OperationRequest, Result } from './operations.js';
import { runInWorker } from './run-in-worker.js';

export { qrCodeOf } from '../../shared/qr-code.js';
export { encryptFile } from '../../../packages/client/src/end-to-end/files.js';

/** Set by scripts/bundle-pages.mjs. */
declare const WORKER_INTEGRITY: string;

const WORKER = new URL('end-to-end-worker.js', import.meta.url);
let verified: Promise<void> | undefined;

/**
 * The passphrase that the server gets. `passphrase` is empty if the fragment needs none.
 * @throws EndToEndError, or the reason of the signal
 */
export function proofOf(fragment: Fragment, passphrase: string, signal?: AbortSignal): Promise<string> {
  return run({ name: 'proofOf', args: [fragment, passphrase] }, signal);
}

/** The payload that the server gets. */
export function encryptPayload(
  envelope: Envelope,
  fragment: Fragment,
  passphrase: string,
  signal?: AbortSignal,
): Promise<string> {
  return run({ name: 'encryptPayload', args: [envelope, fragment, passphrase] }, signal);
}

/** The content of an encrypted payload. */
export function decryptPayload(
  payload: string,
  fragment: Fragment,
  passphrase: string,
  signal?: AbortSignal,
): Promise<Envelope> {
  return run({ name: 'decryptPayload', args: [payload, fragment, passphrase] }, signal);
}

/**
 * Decrypts a file while it is read. The stream fails with an EndToEndError unless the file is exactly as it was
 * encrypted, which is known only at its end: until then nothing of it may be used.
 */
export function decryptFile(
  encrypted: ReadableStream<Uint8Array>,
  file: Pick<EnvelopeFile, 'key' | 'size'>,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return decryptFileWith(encrypted, file, (header, secret) =>
    run({ name: 'fileKeyOf', args: [header, secret] }, signal),
  );
}

function run<Name extends OperationName>(
  request: OperationRequest<Name>,
  signal?: AbortSignal,
): Promise<Result<Name>> {
  return runInWorker(startWorker, request, signal);
}

async function startWorker(): Promise<Worker> {
  verified ??= verifyWorker();
  verified.catch(() => (verified = undefined));
  await verified;
  return new Worker(WORKER);
}

/** Browsers check the digest of no worker, but what was checked here is what they then take from their cache. */
async function verifyWorker(): Promise<void> {
  try {
    const response = await fetch(WORKER, { integrity: WORKER_INTEGRITY });
    if (!response.ok) throw new Error('no worker');
    await response.arrayBuffer();
  } catch {
    throw new EndToEndError('unavailable');
  }
}

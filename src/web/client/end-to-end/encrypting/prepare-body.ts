import { encryptSecret } from './encrypt-secret.js';
import { isEncrypting } from './encryption-choice.js';
import type { FieldErrors } from '../../form-errors.js';
import type { Progress } from '../../progress.js';
import { secretErrors } from './secret-errors.js';
import { secretOfForm } from './secret-of-form.js';
import type { Submission } from '../../submission.js';
import { bodyOf } from '../../submission.js';

/** The secret was not encrypted: it breaks a rule. */
export class InvalidSecret extends Error {
  constructor(readonly errors: FieldErrors) {
    super();
  }
}

/** Something else has gone wrong while encrypting; nothing was sent. */
export class EncryptionFailed extends Error {}

/**
 * The body to be sent. Encrypts the secret, if the browser is to do it and has not done it yet.
 * @throws InvalidSecret, EncryptionFailed, or the reason of the signal
 */
export async function prepareBody(
  form: HTMLFormElement,
  submission: Submission,
  progress: Progress,
  signal: AbortSignal,
): Promise<FormData> {
  if (isEncrypting(form)) await encrypt(submission, progress, signal);
  return bodyOf(submission);
}

async function encrypt(submission: Submission, progress: Progress, signal: AbortSignal): Promise<void> {
  const secret = secretOfForm(submission.content);
  const errors = secretErrors(secret, submission.content);
  if (errors) throw new InvalidSecret(errors);
  if (submission.encrypted) return;
  progress.beginEncrypting();
  const onProgress = progress.update.bind(progress);
  try {
    submission.encrypted = await orAborted(encryptSecret(secret, { signal, onProgress }), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new EncryptionFailed('', { cause });
  }
  progress.beginSending();
}

/** Rejects as soon as the signal aborts, even while a script is loaded, which cannot be cancelled. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  return Promise.race([promise, aborted]);
}

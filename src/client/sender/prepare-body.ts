import type { SecretOfForm } from './encrypt-secret.js';
import { encryptAnswer, encryptSecret, secretOfForm } from './encrypt-secret.js';
import { isEncrypting } from './encryption-choice.js';
import type { FieldErrors } from './form-errors.js';
import type { Progress } from '../page/progress.js';
import type { Submission } from './submission.js';
import { bodyOf } from './submission.js';
import { isInvisible } from '../../shared/invisible-text.js';
import { MAX_TEXT, payloadError } from '../../shared/payload-errors.js';
import { encryptedPayloadSize, encryptedPayloadSizeFor } from '../end-to-end/envelope.js';
import { text } from '../page/texts.js';

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
  if (isEncrypting(form)) await encrypt(form, submission, progress, signal);
  return bodyOf(submission);
}

async function encrypt(
  form: HTMLFormElement,
  submission: Submission,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { recipient } = form.dataset; // of an answer to a request
  const secret = secretOfForm(submission.content);
  const errors = secretErrors(secret, submission.content, form);
  if (errors) throw new InvalidSecret(errors);
  if (submission.encrypted) return;
  progress.beginEncrypting();
  const onProgress = progress.update.bind(progress);
  try {
    const encrypting =
      recipient === undefined
        ? encryptSecret(secret, { signal, onProgress })
        : encryptAnswer(secret, recipient, { signal, onProgress });
    submission.encrypted = await orAborted(encrypting, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new EncryptionFailed('', { cause });
  }
  progress.beginSending();
}

/** Rejects as soon as the signal aborts, even while a script is loaded, which cannot be cancelled. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  return Promise.race([promise, aborted]);
}

/** The texts for the rules of the server, which cannot check what is encrypted. */
const TEXTS = {
  blank: 'script.endToEndRequired',
  not_a_web_address: 'script.endToEndAddress',
  web_address_with_space: 'script.endToEndAddressWithSpace',
  too_long: 'script.endToEndTooLong',
} as const;

/** What is wrong with a secret before it is encrypted, by the name of the field; undefined if nothing is. */
function secretErrors(
  secret: SecretOfForm,
  content: FormData,
  form: HTMLFormElement,
): FieldErrors | undefined {
  const errors = {
    payload: payloadErrorOf(secret, form.dataset.recipient),
    files: secret.envelope.kind === 'file' && secret.files.length === 0 && text('script.endToEndFilesNeeded'),
    passphrase: passphraseErrorOf(secret, content, form),
  };
  const found = Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function payloadErrorOf({ envelope }: SecretOfForm, recipient: string | undefined): string | undefined {
  const problem = payloadError(envelope.kind, envelope.text);
  if (problem)
    return text(problem.code in TEXTS ? TEXTS[problem.code as keyof typeof TEXTS] : 'script.endToEndInvalid');
  if (envelope.kind === 'file' && envelope.files.length === 0) return undefined;
  const length =
    recipient === undefined ? encryptedPayloadSize(envelope) : encryptedPayloadSizeFor(envelope, recipient);
  if (length <= MAX_TEXT) return undefined;
  return text('script.endToEndTooLongEncrypted', { length, max: MAX_TEXT });
}

function passphraseErrorOf(
  secret: SecretOfForm,
  content: FormData,
  form: HTMLFormElement,
): string | false | undefined {
  if (isPassphraseLost(secret, content)) return text('script.endToEndPassphrase');
  if (secret.passphrase !== '' && isInvisible(secret.passphrase)) return text('script.invisiblePassphrase');
  const isRequired = form.querySelector<HTMLInputElement>('#passphrase')?.required === true;
  return isRequired && secret.passphrase === '' && text('script.endToEndRequired');
}

/** A form that was rejected comes back without its passphrase, but with a flag. */
function isPassphraseLost({ passphrase }: SecretOfForm, content: FormData): boolean {
  return passphrase === '' && Boolean(content.get('push[passphrase_was_set]'));
}

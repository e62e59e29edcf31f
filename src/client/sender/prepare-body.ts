import { emptyFields } from './chips.js';
import type { SecretOfForm } from './encrypt-secret.js';
import {
  encryptAnswer,
  encryptSecret,
  loadFileEncryption,
  secretOfForm,
  withKeys,
} from './encrypt-secret.js';
import type { FieldErrors } from './form-errors.js';
import type { Progress } from '../page/progress.js';
import type { Submission } from './submission.js';
import { bodyOf } from './submission.js';
import { isInvisible } from '../../shared/invisible-text.js';
import { MAX_TEXT, payloadError } from '../../shared/payload-errors.js';
import {
  encryptedPayloadSize,
  encryptedPayloadSizeFor,
} from '../../../packages/client/src/end-to-end/envelope.js';
import { text } from '../page/texts.js';
import { FormUploads } from '../uploads/form-uploads.js';
import type { SentFile } from '../uploads/uploads.js';

/** The secret was not encrypted: it breaks a rule. */
export class InvalidSecret extends Error {
  constructor(readonly errors: FieldErrors) {
    super();
  }
}

/** Something else has gone wrong while encrypting; nothing was sent. */
export class EncryptionFailed extends Error {}

interface Preparation {
  progress: Progress;
  signal: AbortSignal;
  uploads: FormUploads;
}

/**
 * The body to be sent. Sends large files before it. Encrypts the secret, if the browser is to do it and has not done it
 * yet.
 * @throws InvalidSecret, EncryptionFailed, UploadFailed, or the reason of the signal
 */
export async function prepareBody(
  form: HTMLFormElement,
  submission: Submission,
  preparation: Preparation,
): Promise<FormData> {
  const errors = errorsIn(form, submission);
  if (errors) throw new InvalidSecret(errors);
  const sent = await upload(form, submission, preparation);
  submission.uploads = sent?.map(({ id }) => id);
  if (submission.isEncrypted) await encrypt(form, submission, preparation, sent);
  return bodyOf(submission);
}

/** Sends the files before the form; undefined if they go in it. */
async function upload(
  form: HTMLFormElement,
  { content, isEncrypted }: Submission,
  { progress, signal, uploads }: Preparation,
): Promise<SentFile[] | undefined> {
  const { files } = secretOfForm(content);
  if (!FormUploads.areNeededFor(form, files)) return undefined;
  const encryption = isEncrypted
    ? await orFailed(loadFileEncryption(form.dataset.recipient), signal)
    : undefined;
  const onProgress = progress.update.bind(progress);
  return uploads.send(form, files, { signal, encrypt: encryption?.encryptFile, onProgress });
}

/** What is wrong before anything is sent; undefined if nothing is. The server finds the rest, unless it is encrypted. */
function errorsIn(form: HTMLFormElement, { content, isEncrypted }: Submission): FieldErrors | undefined {
  const errors = {
    ...(isEncrypted && secretErrors(secretOfForm(content), form.dataset.recipient)),
    ...Object.fromEntries(emptyFields(form).map((id) => [id, emptyErrorOf(id, content)])),
  };
  return Object.keys(errors).length === 0 ? undefined : errors;
}

/** A form that was rejected comes back without its passphrase, but with a flag. */
function emptyErrorOf(id: string, content: FormData): string {
  const isLost = id === 'passphrase' && content.has('push[passphrase_was_set]');
  return text(isLost ? 'script.endToEndPassphrase' : 'script.endToEndRequired');
}

async function encrypt(
  form: HTMLFormElement,
  submission: Submission,
  { progress, signal }: Preparation,
  sent: SentFile[] | undefined,
): Promise<void> {
  const { recipient } = form.dataset; // of an answer to a request
  if (submission.encrypted) return;
  const ofForm = secretOfForm(submission.content);
  const secret = sent ? withKeys(ofForm, sent) : ofForm;
  progress.beginEncrypting();
  const onProgress = progress.update.bind(progress);
  submission.encrypted = await orFailed(
    recipient === undefined
      ? encryptSecret(secret, { signal, onProgress })
      : encryptAnswer(secret, recipient, { signal, onProgress }),
    signal,
  );
  progress.beginSending();
}

/** @throws EncryptionFailed, or the reason of the signal */
async function orFailed<T>(encrypting: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await orAborted(encrypting, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new EncryptionFailed('', { cause });
  }
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

/** What is wrong with a secret before it is encrypted, by the name of the field. */
function secretErrors(secret: SecretOfForm, recipient: string | undefined): FieldErrors {
  const errors = {
    payload: payloadErrorOf(secret, recipient),
    files: secret.envelope.kind === 'file' && secret.files.length === 0 && text('script.endToEndFilesNeeded'),
    passphrase: passphraseErrorOf(secret),
  };
  const found = Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(found);
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

function passphraseErrorOf({ passphrase }: SecretOfForm): string | false {
  return passphrase !== '' && isInvisible(passphrase) && text('script.invisiblePassphrase');
}

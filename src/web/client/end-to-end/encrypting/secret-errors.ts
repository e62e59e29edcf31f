import { MAX_TEXT, payloadError } from '../../../../pushes/create/payload-errors.js';
import { encryptedPayloadSize } from '../sizes.js';
import type { FieldErrors } from '../../form-errors.js';
import type { SecretOfForm } from './secret-of-form.js';
import { locale, text } from '../../texts.js';

/** The texts for the rules of the server, which cannot check what is encrypted. */
const TEXTS = {
  blank: 'script.endToEndRequired',
  not_a_web_address: 'script.endToEndAddress',
  too_long: 'script.endToEndTooLong',
} as const;

/** What is wrong with a secret before it is encrypted, by the name of the field; undefined if nothing is. */
export function secretErrors(secret: SecretOfForm, content: FormData): FieldErrors | undefined {
  const errors = {
    payload: payloadErrorOf(secret),
    files: secret.envelope.kind === 'file' && secret.files.length === 0 && text('script.endToEndFilesNeeded'),
    passphrase: isPassphraseLost(secret, content) && text('script.endToEndPassphrase'),
  };
  const found = Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function payloadErrorOf({ envelope }: SecretOfForm): string | undefined {
  const problem = payloadError(envelope.kind, envelope.text);
  if (problem)
    return text(problem.code in TEXTS ? TEXTS[problem.code as keyof typeof TEXTS] : 'script.endToEndInvalid');
  if (envelope.kind === 'file' && envelope.files.length === 0) return undefined;
  const length = encryptedPayloadSize(envelope);
  if (length <= MAX_TEXT) return undefined;
  const [shown, max] = [length, MAX_TEXT].map((number) => number.toLocaleString(locale()));
  return text('script.endToEndTooLongEncrypted', { length: shown ?? '', max: max ?? '' });
}

/** A form that was rejected comes back without its passphrase, but with a flag. */
function isPassphraseLost({ passphrase }: SecretOfForm, content: FormData): boolean {
  return passphrase === '' && Boolean(content.get('push[passphrase_was_set]'));
}

import type { EncryptOptions } from './encrypt-files.js';
import { encryptFiles } from './encrypt-files.js';
import { newFragment } from '../fragment.js';
import { loadEndToEnd } from '../load.js';
import type { SecretOfForm } from './secret-of-form.js';

/** An encrypted secret: the parts that are sent, and the fragment, which is not. */
export interface EncryptedSecret {
  payload: string;
  /** The passphrase that the server knows. */
  proof: string;
  files: File[];
  /** The end of the link, which is never sent. */
  fragment: string;
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

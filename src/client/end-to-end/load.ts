import { loadScript } from '../page/load-script.js';
import { EndToEndError } from '../../../packages/client/src/end-to-end/end-to-end-error.js';

/** Set by scripts/bundle-pages.mjs. */
declare const END_TO_END_INTEGRITY: string;
declare const RECIPIENT_ENCRYPTION_INTEGRITY: string;
declare const ARCHIVE_INTEGRITY: string;

export type EndToEnd = typeof import('./end-to-end.js');
export type RecipientEncryption = typeof import('./recipient-encryption.js');
type Archive = typeof import('./archive.js');

/** Whether this browser can encrypt and decrypt. On pages loaded over plain HTTP it has no `crypto.subtle`. */
export function isEndToEndAvailable(): boolean {
  return isSecureContext && typeof Worker === 'function' && typeof TransformStream === 'function';
}

/**
 * Loads the scripts that encrypt and decrypt, at the first call.
 * @throws EndToEndError
 */
export function loadEndToEnd(): Promise<EndToEnd> {
  return load('end-to-end.js', END_TO_END_INTEGRITY, () => import('./end-to-end.js'));
}

/**
 * Loads the script that encrypts to recipients and decrypts with their identities, at the first call.
 * @throws EndToEndError
 */
export function loadRecipientEncryption(): Promise<RecipientEncryption> {
  return load(
    'recipient-encryption.js',
    RECIPIENT_ENCRYPTION_INTEGRITY,
    () => import('./recipient-encryption.js'),
  );
}

/**
 * Loads the script that puts files into an archive, at the first call.
 * @throws EndToEndError
 */
export function loadArchive(): Promise<Archive> {
  return load('archive.js', ARCHIVE_INTEGRITY, () => import('./archive.js'));
}

async function load<Module>(...script: Parameters<typeof loadScript<Module>>): Promise<Module> {
  try {
    return await loadScript(...script);
  } catch {
    throw new EndToEndError('unavailable');
  }
}

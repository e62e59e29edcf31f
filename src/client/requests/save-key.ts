import { loadRecipientEncryption } from '../end-to-end/load.js';
import { saveBlob } from '../page/save-blob.js';
import type { KeptKey } from './kept-keys.js';

/** Offers the key of a request as a file, which the program age reads as well. */
export async function saveKey(key: KeptKey): Promise<void> {
  const { keyFileOf } = await loadRecipientEncryption();
  const day = key.createdAt.toISOString().slice(0, 10);
  saveBlob(new Blob([keyFileOf(key)], { type: 'text/plain' }), `sealpush-key-${day}.txt`);
}

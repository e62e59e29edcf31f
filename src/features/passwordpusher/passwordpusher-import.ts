import { Refusal } from '../../platform/errors/refusal.js';
import { importAccounts } from './import-accounts.js';
import { importPushes } from './import-pushes.js';
import type { ImportRun } from './import-run.js';
import type { Lockbox } from './source/lockbox.js';
import { UnknownKey } from './source/lockbox.js';
import type { SourceDatabase } from './source/source-database.js';

/** Imports all accounts, then all pushes. */
export async function importAll(run: ImportRun, onProgress: (count: number) => void): Promise<void> {
  const owners = await importAccounts(run);
  await importPushes(run, owners, onProgress);
}

/**
 * How many pushes that have not expired the keys open, and how many they do not.
 * @throws Refusal when they open none
 */
export async function checkKeys(
  source: SourceDatabase,
  keys: Lockbox,
): Promise<{ opened: number; unopened: number }> {
  const found = { opened: 0, unopened: 0 };
  for await (const pushes of source.pushes()) {
    for (const push of pushes) {
      if (push.expired === true) continue;
      if (!push.payloadCiphertext) continue;
      found[doKeysOpen(keys, push.payloadCiphertext) ? 'opened' : 'unopened'] += 1;
    }
  }
  if (found.opened === 0 && found.unopened > 0)
    throw new Refusal(
      `The master key is wrong: it opens none of the ${found.unopened} pushes that have not expired. ` +
        'Give the one that PasswordPusher had in PWPUSH_MASTER_KEY.',
    );
  return found;
}

function doKeysOpen(keys: Lockbox, ciphertext: string): boolean {
  try {
    keys.decrypt('pushes', 'payload_ciphertext', ciphertext);
    return true;
  } catch (error) {
    if (error instanceof UnknownKey) return false;
    throw error;
  }
}

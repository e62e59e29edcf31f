import { isKey, newKey } from './key.js';

const WITHOUT_PASSPHRASE = '1';
const WITH_PASSPHRASE = '2';

/** `#` as mail gateways write it, once or several times encoded, and what follows. */
const ENCODED = /^(.*?)%(?:25){0,3}23(.*)$/s;

/** What follows `#` in the link of an end-to-end push, and is never sent to the server. */
export interface Fragment {
  /** The whole fragment: 44 characters. */
  text: string;
  /** The key: 32 bytes in base64url. */
  key: string;
  /** Whether the recipient needs a passphrase as well. */
  needsPassphrase: boolean;
}

export function newFragment({ needsPassphrase }: { needsPassphrase: boolean }): Fragment {
  const key = newKey();
  return { text: (needsPassphrase ? WITH_PASSPHRASE : WITHOUT_PASSPHRASE) + key, key, needsPassphrase };
}

/** Parses a fragment, with or without its `#`; undefined if it was cut or altered. */
export function parseFragment(hash: string): Fragment | undefined {
  const text = hash.startsWith('#') ? hash.slice(1) : hash;
  const [version, key] = [text.slice(0, 1), text.slice(1)];
  if ((version !== WITHOUT_PASSPHRASE && version !== WITH_PASSPHRASE) || !isKey(key)) return undefined;
  return { text, key, needsPassphrase: version === WITH_PASSPHRASE };
}

/**
 * Whether what follows `#` belongs to the link of an encrypted push or request, be it cut or altered. Nothing else that
 * is in an address of ours begins with a digit.
 */
export function promisesEncryption(hash: string): boolean {
  return /^#?\d/.test(hash);
}

/**
 * The path and the fragment of a path like `/p/TOKEN%23FRAGMENT`; undefined for all other paths. The fragment is
 * returned as it is: it may be incomplete.
 */
export function fragmentInPath(path: string): { path: string; fragment: string } | undefined {
  const [, before, fragment] = ENCODED.exec(path) ?? [];
  return before === undefined || fragment === undefined ? undefined : { path: before, fragment };
}

import { parseFragment } from './fragment.js';
import type { Bytes } from './key.js';
import { toBase64url } from './key.js';

const VERSION = '1';

/**
 * What follows `#` in the link to answer a request: a digest of the recipient, 44 characters. Whoever answers compares
 * it with the recipient that the server names, so the server cannot replace that unnoticed.
 */
export async function answerFragmentOf(recipient: string): Promise<string> {
  const text: Bytes = new TextEncoder().encode(recipient);
  return VERSION + toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}

/** The fragment of an answer link, given with or without its `#`; undefined if it was cut or altered. */
export function parseAnswerFragment(hash: string): string | undefined {
  const { text, needsPassphrase } = parseFragment(hash) ?? {};
  return needsPassphrase ? undefined : text;
}

/** Whether an answer link with this fragment was made for this recipient. */
export async function isFragmentOf(fragment: string, recipient: string): Promise<boolean> {
  return fragment === (await answerFragmentOf(recipient));
}

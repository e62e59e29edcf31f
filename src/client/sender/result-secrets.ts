import type { Fragment } from '../end-to-end/fragment.js';
import { parseFragment } from '../end-to-end/fragment.js';

const NAME = 'sealpush.result';

/** What only the page of a new link shows: the server does not know it, or shows it once. */
interface ResultSecrets {
  /** The key with which a sender without an account may delete the push. */
  deleteKey?: string;
  /** The end of the link, if the browser has encrypted the push. */
  fragment?: Fragment;
}

/**
 * Hands what the next page shows over to it: the delete key in its address, and the fragment of the link. Not in the
 * address, because browsers list visited addresses, and copy that list to other devices. Until that page has been
 * loaded, the session storage has it; if that is forbidden, the fragment of the address.
 */
export function handOver(next: URL, fragment?: string): void {
  const secrets = new URLSearchParams(next.hash.slice(1));
  if (fragment !== undefined) secrets.set('link', fragment);
  next.hash = secrets.toString();
  if (next.hash === '') return;
  try {
    sessionStorage.setItem(NAME, JSON.stringify([next.pathname, next.hash]));
    next.hash = '';
  } catch {
    // the next page takes it out of its address
  }
}

/** The secrets of this page. They stay with it in the history of the tab: a reload or going back keeps them. */
export function secretsOfPage(): ResultSecrets {
  const kept = handedOver() ?? (location.hash || keptInHistory());
  if (kept === '') return {};
  history.replaceState({ secrets: kept }, '', location.pathname + location.search);
  const secrets = new URLSearchParams(kept.slice(1));
  const deleteKey = secrets.get('delete') ?? '';
  return {
    deleteKey: /^[\w-]{43}$/.test(deleteKey) ? deleteKey : undefined,
    fragment: parseFragment(secrets.get('link') ?? ''),
  };
}

function handedOver(): string | undefined {
  try {
    const [pathname, hash] = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as string[];
    sessionStorage.removeItem(NAME);
    return pathname === location.pathname ? hash : undefined;
  } catch {
    return undefined;
  }
}

function keptInHistory(): string {
  return (history.state as { secrets?: string } | null)?.secrets ?? '';
}

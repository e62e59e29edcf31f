import type { Fragment } from '../../../packages/client/src/end-to-end/fragment.js';
import { parseFragment } from '../../../packages/client/src/end-to-end/fragment.js';

const NAME = 'sealpush.result';

/** What only the page of a new link shows: the server does not know it, or shows it once. */
interface ResultSecrets {
  /** The key with which a sender without an account may delete the push. */
  deleteKey?: string;
  /** The end of the link, if the browser has encrypted the push. */
  fragment?: Fragment;
  /** The passphrase that was typed or generated. */
  passphrase?: string;
  /** What was shared, in words. */
  shared?: string;
}

/** What the page of the form knows and hands over. */
export interface HandedOver {
  /** The end of the link, if the browser has encrypted the push. */
  fragment?: string;
  passphrase: string;
  shared: string;
}

/**
 * Hands what the next page shows over to it, with the delete key in its address. Not in the address, because browsers
 * list visited addresses, and copy that list to other devices. Until that page has been loaded, the session storage has
 * it; if that is forbidden, the fragment of the address has what cannot be restored: never the passphrase.
 */
export function handOver(next: URL, { fragment, passphrase, shared }: HandedOver): void {
  const secrets = new URLSearchParams(next.hash.slice(1));
  if (fragment !== undefined) secrets.set('link', fragment);
  next.hash = secrets.toString();
  if (passphrase !== '') secrets.set('passphrase', passphrase);
  secrets.set('shared', shared);
  try {
    sessionStorage.setItem(NAME, JSON.stringify([next.pathname, `#${secrets.toString()}`]));
    next.hash = '';
  } catch {
    // the next page takes it out of its address
  }
}

/** The secrets of this page. They stay with it in the history of the tab: a reload or going back keeps them. */
export function secretsOfPage(): ResultSecrets {
  const isHandedOver = /[#&](link|delete)=/.test(location.hash);
  const kept = handedOver() ?? (isHandedOver ? location.hash : keptInHistory());
  if (kept === '') return {};
  history.replaceState({ ...stateOfPage(), secrets: kept }, '', location.pathname + location.search);
  const secrets = new URLSearchParams(kept.slice(1));
  const deleteKey = secrets.get('delete') ?? '';
  return {
    deleteKey: /^[\w-]{43}$/.test(deleteKey) ? deleteKey : undefined,
    fragment: parseFragment(secrets.get('link') ?? ''),
    passphrase: secrets.get('passphrase') ?? undefined,
    shared: secrets.get('shared') ?? undefined,
  };
}

/** Forgets what was handed over to a page that has not been loaded. */
export function forgetHandedOver(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // nothing is there
  }
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
  return stateOfPage().secrets ?? '';
}

/** What the history of the tab keeps with the page. */
interface PageState {
  secrets?: string;
  /** Whether the link has been copied, or taken away in another way. */
  isLinkTaken?: boolean;
}

function stateOfPage(): PageState {
  return (history.state as PageState | null) ?? {};
}

export function isLinkTaken(): boolean {
  return stateOfPage().isLinkTaken === true;
}

export function rememberLinkIsTaken(): void {
  history.replaceState({ ...stateOfPage(), isLinkTaken: true }, '');
}
